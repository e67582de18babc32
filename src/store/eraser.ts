import type pg from 'pg';
import { z } from 'zod';
import type { Operator } from '../access/operator.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { recordAudit } from './audit-trail.ts';
import type { BlobNaming } from './blob-naming.ts';
import { removeWithBlobs } from './blob-removal.ts';
import { BlobRows } from './blob-rows.ts';
import { auditedTarget, conditionOf, type ErasureTarget, subjectOf } from './erasure-target.ts';
import { fileBlobs } from './file-blobs.ts';
import { imageBlobs } from './image-blobs.ts';
import { execute, queryRow, queryRows, wholeNumber } from './query.ts';
import { identifier, type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

/** The kinds of things that can be erased. */
export type ErasedKind = 'image' | 'file';

const idRow = z.object({ id: z.string() });

const erasureRow = z.object({
  id: z.string(),
  scope: z.enum(['image', 'file', 'key', 'stack', 'account']),
  subject: z.string(),
  requestedAt: z.date(),
  /** Null when it was interrupted: ask for the same again. */
  finishedAt: z.date().nullable(),
  /** How many things were erased. */
  count: wholeNumber,
  sizeBytes: wholeNumber,
});

/** The record of an erasure: who asked for what, and how much was removed. */
export type Erasure = Readonly<z.infer<typeof erasureRow>>;

export interface EraserOptions {
  readonly kind: ErasedKind;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  /** Who asks for it. */
  readonly operator: Operator;
}

const PAGE = 100;
const namings: Readonly<Record<ErasedKind, BlobNaming>> = { image: imageBlobs, file: fileBlobs };

/** Erases images or files on request. It keeps a record of what was erased, without the contents. */
export class Eraser {
  readonly #options: EraserOptions;
  readonly #tables: Tables;

  constructor(options: EraserOptions) {
    this.#options = options;
    this.#tables = tablesOf(options.kind);
  }

  /** Removes everything of the target, including what is made while it runs. */
  async erase(target: ErasureTarget, signal: AbortSignal): Promise<Erasure> {
    const { kind, pool, blobs } = this.#options;
    const id = await this.#begin(target);
    const removal = { rows: new BlobRows(pool, `${kind}s`), blobs, naming: namings[kind], signal };
    for (;;) {
      const ids = await this.#markPage(id, target);
      if (ids.length === 0) break;
      await removeWithBlobs(ids, removal);
    }
    return await this.#finish(id, target);
  }

  #finish(id: string, target: ErasureTarget): Promise<Erasure> {
    const { pool, operator, kind } = this.#options;
    return inTransaction(pool, async (client) => {
      await execute(client, sql`update ${this.#tables.erasures} set finished_at = now() where id = ${id}`);
      const erasure = await queryRow(client, erasureRow, erasures(this.#tables, sql`erasure.id = ${id}`));
      const after = { erasure: id, [`${kind}s`]: erasure.count, size_bytes: erasure.sizeBytes };
      await recordAudit(client, operator, { action: `${kind}.erased`, ...auditedTarget(target), after });
      return erasure;
    });
  }

  async #begin(target: ErasureTarget): Promise<string> {
    const { kind, pool, operator } = this.#options;
    const scope = target.scope === 'one' ? kind : target.scope;
    return await inTransaction(pool, async (client) => {
      const { id } = await queryRow(
        client,
        idRow,
        sql`insert into ${this.#tables.erasures} (scope, subject) values (${scope}, ${subjectOf(target)}) returning id`,
      );
      const after = { erasure: id, scope };
      await recordAudit(client, operator, { action: `${kind}.erase`, ...auditedTarget(target), after });
      return id;
    });
  }

  /** Records things and expires them in one transaction: if the process ends here, the sweeper removes them. */
  #markPage(erasureId: string, target: ErasureTarget): Promise<readonly string[]> {
    const { things, erased, thingId } = this.#tables;
    return inTransaction(this.#options.pool, async (client) => {
      const rows = await queryRows(
        client,
        idRow,
        sql`update ${things} set expires_at = least(expires_at, now()) where id in (
          select id from ${things} where ${conditionOf(target)} order by id limit ${PAGE} for update) returning id`,
      );
      const ids = rows.map((row) => row.id);
      await execute(
        client,
        sql`insert into ${erased} (${thingId}, erasure_id, stack_id, key_id, size_bytes, sha256, created_at)
          select id, ${erasureId}, stack_id, key_id, size_bytes, sha256, created_at from ${things} where id = any (${ids})
          on conflict (${thingId}) do update set erasure_id = excluded.erasure_id`,
      );
      return ids;
    });
  }
}

/** The erasures on record, newest first. */
export function listErasures(pool: pg.Pool, kind: ErasedKind): Promise<readonly Erasure[]> {
  return queryRows(pool, erasureRow, erasures(tablesOf(kind), sql`true`));
}

interface Tables {
  readonly things: Sql;
  readonly erasures: Sql;
  readonly erased: Sql;
  /** The column of `erased` with the id of the thing. */
  readonly thingId: Sql;
}

function tablesOf(kind: ErasedKind): Tables {
  return {
    things: identifier(`${kind}s`),
    erasures: identifier(`${kind}_erasures`),
    erased: identifier(`erased_${kind}s`),
    thingId: identifier(`${kind}_id`),
  };
}

function erasures({ erasures, erased, thingId }: Tables, condition: Sql): Sql {
  return sql`select erasure.id, scope, subject, requested_at, finished_at, count(${thingId}) as count,
      coalesce(sum(size_bytes), 0) as size_bytes
    from ${erasures} as erasure left join ${erased} on erasure_id = erasure.id
    where ${condition} group by erasure.id order by erasure.id desc`;
}
