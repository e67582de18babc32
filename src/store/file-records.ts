import type pg from 'pg';
import { z } from 'zod';
import { createdAtOf } from '../files/file-id.ts';
import {
  type FilePage,
  type FileQuery,
  type NewFile,
  PENDING_SECONDS,
  type PendingFile,
  type StoredFile,
} from '../files/file-store.ts';
import { BlobRows } from './blob-rows.ts';
import { execute, findRow, queryRow, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

/** A row of `files`. */
export const fileRow = z.object({
  id: z.string(),
  accountId: z.string(),
  stackId: z.string(),
  keyId: z.string(),
  name: z.string(),
  purpose: z.string(),
  sizeBytes: wholeNumber,
  sha256: z.string().nullable(),
  createdAt: z.date(),
  expiresAt: z.date(),
});

const storedRow = fileRow.extend({ sha256: z.string() });

/** Longer than storing the bytes of one file takes. */
const STORING_SECONDS = 600;

/** The rows of files. An expired file counts as removed, though its row may still be there. */
export class FileRecords {
  readonly rows: BlobRows;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.rows = new BlobRows(pool, 'files');
  }

  reserve(file: NewFile): Promise<PendingFile> {
    return queryRow(
      this.#pool,
      fileRow,
      sql`insert into files (id, account_id, stack_id, key_id, name, purpose, size_bytes, keep_seconds, created_at,
          expires_at)
        values (${file.id}, ${file.accountId}, ${file.stackId}, ${file.keyId}, ${file.name}, ${file.purpose},
          ${file.sizeBytes}, ${file.keepSeconds}, ${createdAtOf(file.id) ?? new Date()},
          now() + make_interval(secs => ${PENDING_SECONDS}))
        returning ${FILE}`,
    );
  }

  findPending(stackId: string, id: string): Promise<PendingFile | undefined> {
    return findRow(
      this.#pool,
      fileRow,
      sql`select ${FILE} from files where ${isFile(stackId, id)} and sha256 is null`,
    );
  }

  /** Takes the right to store the bytes; false if another has it, or they are there. */
  async beginStoring(stackId: string, id: string): Promise<boolean> {
    const taken = await execute(
      this.#pool,
      sql`update files set storing_until = now() + make_interval(secs => ${STORING_SECONDS})
        where ${isFile(stackId, id)} and sha256 is null and (storing_until is null or storing_until <= now())`,
    );
    return taken > 0;
  }

  /** Gives the right back, so that the bytes can be sent again. */
  async stopStoring(id: string): Promise<void> {
    await execute(this.#pool, sql`update files set storing_until = null where id = ${id} and sha256 is null`);
  }

  /** Makes it a stored file; undefined if it was removed meanwhile. */
  finishStoring(
    id: string,
    { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
  ): Promise<StoredFile | undefined> {
    return findRow(
      this.#pool,
      storedRow,
      sql`update files set size_bytes = ${sizeBytes}, sha256 = ${sha256}, storing_until = null,
          expires_at = now() + make_interval(secs => keep_seconds)
        where id = ${id} and sha256 is null and storing_until > now() and ${IS_THERE} returning ${FILE}`,
    );
  }

  find(stackId: string, id: string): Promise<StoredFile | undefined> {
    return findRow(
      this.#pool,
      storedRow,
      sql`select ${FILE} from files where ${isFile(stackId, id)} and ${IS_STORED}`,
    );
  }

  findAll(stackId: string, ids: readonly string[]): Promise<readonly StoredFile[]> {
    return queryRows(
      this.#pool,
      storedRow,
      sql`select ${FILE} from files
        where stack_id = ${stackId} and id = any (${ids}) and ${IS_THERE} and ${IS_STORED}`,
    );
  }

  /** A file of any stack, for operators. */
  findAnywhere(id: string): Promise<StoredFile | undefined> {
    return findRow(
      this.#pool,
      storedRow,
      sql`select ${FILE} from files where id = ${id} and ${IS_THERE} and ${IS_STORED}`,
    );
  }

  /** One page. It reads one row more than asked for, which tells whether another page follows. */
  async list(query: FileQuery): Promise<FilePage> {
    const order = query.order === 'newest' ? sql`created_at desc, id desc` : sql`created_at, id`;
    const rows = await queryRows(
      this.#pool,
      storedRow,
      sql`select ${FILE} from files where ${joined([...conditionsOf(query), IS_THERE, IS_STORED], ' and ')}
        order by ${order} limit ${query.limit + 1}`,
    );
    return { files: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
  }

  /** Expires a file at once; false when the stack has no such file. */
  async expire(stackId: string, id: string): Promise<boolean> {
    const expired = await execute(
      this.#pool,
      sql`update files set expires_at = now() where ${isFile(stackId, id)}`,
    );
    return expired > 0;
  }
}

const FILE = sql`id, account_id, stack_id, key_id, name, purpose, size_bytes, sha256, created_at, expires_at`;
const IS_THERE = sql`expires_at > now()`;
const IS_STORED = sql`sha256 is not null`;

function isFile(stackId: string, id: string): Sql {
  return sql`stack_id = ${stackId} and id = ${id} and ${IS_THERE}`;
}

function conditionsOf({ stackId, purpose, after, order }: FileQuery): readonly Sql[] {
  return [
    sql`stack_id = ${stackId}`,
    ...(purpose === undefined ? [] : [sql`purpose = ${purpose}`]),
    ...(after === undefined ? [] : [followsAfter(after, order)]),
  ];
}

function followsAfter(after: string, order: FileQuery['order']): Sql {
  const position = sql`(${createdAtOf(after) ?? new Date(0)}::timestamptz, ${after})`;
  return order === 'newest' ? sql`(created_at, id) < ${position}` : sql`(created_at, id) > ${position}`;
}
