import type pg from 'pg';

export interface UsageSweeperOptions {
  readonly pool: pg.Pool;
  /** How many days are kept, today included. */
  readonly days: number;
  readonly pageRows?: number;
}

const PAGE_ROWS = 1_000;
/** A process that was away from its database for longer may add its last batch twice. */
const WRITER_DAYS = 30;

/** Removes usage that is old enough. It needs no lease: processes that sweep at once pass over each other's rows. */
export class UsageSweeper {
  readonly #options: UsageSweeperOptions;

  constructor(options: UsageSweeperOptions) {
    this.#options = options;
  }

  /** One sweep, to its end, in pages. */
  async sweep(signal: AbortSignal): Promise<{ readonly rows: number }> {
    const { days } = this.#options;
    const rows = await this.#removePages(
      `delete from usage_days where ctid = any (array(
         select ctid from usage_days where day <= (now() at time zone 'utc')::date - $1::integer
         order by day limit $2 for update skip locked))`,
      days,
      signal,
    );
    await this.#removePages(
      `delete from usage_writers where process in (
         select process from usage_writers where written_at < now() - make_interval(days => $1)
         limit $2 for update skip locked)`,
      WRITER_DAYS,
      signal,
    );
    return { rows };
  }

  async #removePages(query: string, days: number, signal: AbortSignal): Promise<number> {
    const { pool, pageRows = PAGE_ROWS } = this.#options;
    let removed = 0;
    for (;;) {
      signal.throwIfAborted();
      const { rowCount } = await pool.query(query, [days, pageRows]);
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < pageRows) return removed;
    }
  }
}
