import type pg from 'pg';
import { execute } from './query.ts';
import { type Sql, sql } from './sql.ts';

export interface UsageSweeperOptions {
  readonly pool: pg.Pool;
  /** How many days are kept, today included. */
  readonly days: number;
  /** Whether the current month is kept too, since budgets are counted from it. */
  readonly keepsMonth?: () => boolean;
  readonly pageRows?: number;
}

const PAGE_ROWS = 1_000;
/** A process without its database for longer may add its last batch twice. */
const WRITER_DAYS = 30;

/** Removes old usage. It needs no lease: processes that sweep at the same time skip each other's rows. */
export class UsageSweeper {
  readonly #options: UsageSweeperOptions;

  constructor(options: UsageSweeperOptions) {
    this.#options = options;
  }

  /** One complete sweep, in pages. */
  async sweep(signal: AbortSignal): Promise<{ readonly rows: number }> {
    const { days, keepsMonth, pageRows = PAGE_ROWS } = this.#options;
    const isKept = keepsMonth?.() === true;
    const rows = await this.#removePages(
      sql`delete from usage_days where ctid = any (array(
        select ctid from usage_days where day <= (now() at time zone 'utc')::date - ${days}::integer
          and not (${isKept}::boolean and day >= date_trunc('month', now() at time zone 'utc')::date)
        order by day limit ${pageRows} for update skip locked))`,
      pageRows,
      signal,
    );
    await this.#removePages(
      sql`delete from usage_writers where process in (
        select process from usage_writers where written_at < now() - make_interval(days => ${WRITER_DAYS})
        limit ${pageRows} for update skip locked)`,
      pageRows,
      signal,
    );
    return { rows };
  }

  async #removePages(statement: Sql, pageRows: number, signal: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      signal.throwIfAborted();
      const count = await execute(this.#options.pool, statement);
      removed += count;
      if (count < pageRows) return removed;
    }
  }
}
