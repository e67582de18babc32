import type pg from 'pg';
import { z } from 'zod';
import { execute, queryRows } from './query.ts';
import { identifier, type Sql, sql } from './sql.ts';

const idRow = z.object({ id: z.string() });
const nameRow = idRow.extend({ createdAt: z.date() });

/** Rows whose bytes are blobs named after their ids. An expired one counts as removed, though its row may still be there. */
export class BlobRows {
  readonly #pool: pg.Pool;
  readonly #table: Sql;

  constructor(pool: pg.Pool, table: 'images' | 'files') {
    this.#pool = pool;
    this.#table = identifier(table);
  }

  /** Ids of expired rows, the oldest expiry first. */
  async expired(limit: number): Promise<readonly string[]> {
    const rows = await queryRows(
      this.#pool,
      idRow,
      sql`select id from ${this.#table} where expires_at <= now() order by expires_at limit ${limit}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Removes rows, expired or not. */
  async remove(ids: readonly string[]): Promise<void> {
    await execute(this.#pool, sql`delete from ${this.#table} where id = any (${ids})`);
  }

  /** The ids after the given one that start with the prefix, in order, and when each was made. */
  names(
    prefix: string,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly createdAt: Date }[]> {
    return queryRows(
      this.#pool,
      nameRow,
      // The rest of an id is hexadecimal digits, which come before 'g'.
      sql`select id, created_at from ${this.#table} where id > ${after} and id > ${prefix} and id < ${`${prefix}g`}
        order by id limit ${limit}`,
    );
  }
}
