import { randomUUID } from 'node:crypto';
import type pg from 'pg';

const LEASE_SECONDS = 300;
const SEARCH_EVERY_HOURS = 24;

/** Another process took the sweep over, because this one was silent for too long. */
export class SweepTakenOver extends Error {
  override readonly name = 'SweepTakenOver';
  override readonly message = 'another process took the sweep over';
}

/** Where the search for orphans goes on; undefined when it is not due. */
export interface SweepTask {
  readonly searchFromShard: number | undefined;
}

/** The right to sweep, which one process has at a time; a killed one loses it when its lease ends. */
export class ImageSweepLease {
  readonly #pool: pg.Pool;
  readonly #holder = randomUUID();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Takes the right to sweep; undefined when another process has it. */
  async take(): Promise<SweepTask | undefined> {
    const { rows } = await this.#pool.query<{ nextShard: number; isDue: boolean }>(
      `update image_sweeps set holder = $1, lease_until = now() + make_interval(secs => $2)
       where lease_until <= now() or holder = $1
       returning next_shard as "nextShard", searched_at <= now() - make_interval(hours => $3) as "isDue"`,
      [this.#holder, LEASE_SECONDS, SEARCH_EVERY_HOURS],
    );
    const [row] = rows;
    return row && { searchFromShard: row.isDue ? row.nextShard : undefined };
  }

  /** Keeps the right for another while; throws when it was lost. */
  async renew(): Promise<void> {
    await this.#update('lease_until = now() + make_interval(secs => $2)', LEASE_SECONDS);
  }

  /** Notes that the search has come as far as this shard, so that whoever sweeps next goes on there. */
  async searched(nextShard: number): Promise<void> {
    await this.#update('next_shard = $2', nextShard);
  }

  /** Notes that the search is through. */
  async finishSearch(): Promise<void> {
    await this.#update('next_shard = $2, searched_at = now()', 0);
  }

  async release(): Promise<void> {
    await this.#pool.query(
      `update image_sweeps set holder = null, lease_until = '-infinity' where holder = $1`,
      [this.#holder],
    );
  }

  async #update(change: string, value: number): Promise<void> {
    const { rowCount } = await this.#pool.query(`update image_sweeps set ${change} where holder = $1`, [
      this.#holder,
      value,
    ]);
    if (rowCount === 0) throw new SweepTakenOver();
  }
}
