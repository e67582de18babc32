import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { execute, findRow } from './query.ts';
import { identifier, type Sql, sql } from './sql.ts';

/** How long the right lasts, unless it is renewed. */
export const LEASE_SECONDS = 300;
const SEARCH_EVERY_HOURS = 24;

const taskRow = z.object({ nextShard: z.number(), isDue: z.boolean() });

/** Another process took the sweep over, because this one did not renew its lease in time. */
export class SweepTakenOver extends Error {
  override readonly name = 'SweepTakenOver';
  override readonly message = 'another process took the sweep over';
}

/** The shard at which the search for orphans continues; undefined when it is not due. */
export interface SweepTask {
  readonly searchFromShard: number | undefined;
}

/** The right to sweep, which one process has at a time; a killed one loses it when its lease ends. */
export class SweepLease {
  readonly #pool: pg.Pool;
  readonly #table: Sql;
  readonly #holder = randomUUID();

  /** Its one row is in this table. */
  constructor(pool: pg.Pool, table: 'image_sweeps' | 'file_sweeps') {
    this.#pool = pool;
    this.#table = identifier(table);
  }

  /** Takes the right to sweep; undefined when another process has it. */
  async take(): Promise<SweepTask | undefined> {
    const row = await findRow(
      this.#pool,
      taskRow,
      sql`update ${this.#table} set holder = ${this.#holder}, ${RENEWED}
        where lease_until <= now() or holder = ${this.#holder}
        returning next_shard, searched_at <= now() - make_interval(hours => ${SEARCH_EVERY_HOURS}) as is_due`,
    );
    return row && { searchFromShard: row.isDue ? row.nextShard : undefined };
  }

  /** Renews the lease; throws when it was lost. */
  async renew(): Promise<void> {
    await this.#update(RENEWED);
  }

  /** Records the shard at which the next sweep continues the search. */
  async searched(nextShard: number): Promise<void> {
    await this.#update(sql`next_shard = ${nextShard}`);
  }

  /** Records that the search is complete. */
  async finishSearch(): Promise<void> {
    await this.#update(sql`next_shard = 0, searched_at = now()`);
  }

  async release(): Promise<void> {
    await execute(
      this.#pool,
      sql`update ${this.#table} set holder = null, lease_until = '-infinity' where holder = ${this.#holder}`,
    );
  }

  async #update(change: Sql): Promise<void> {
    const updated = await execute(
      this.#pool,
      sql`update ${this.#table} set ${change} where holder = ${this.#holder}`,
    );
    if (updated === 0) throw new SweepTakenOver();
  }
}

const RENEWED = sql`lease_until = now() + make_interval(secs => ${LEASE_SECONDS})`;
