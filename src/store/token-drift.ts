import type pg from 'pg';
import type { Clock, Timer } from '../lib/clock.ts';

const EVERY_MS = 60_000;

export interface TokenDriftParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Told how many tokens budgets and ledger differ by, all stacks together. */
  readonly onMeasured: (tokens: number) => void;
}

/** Compares what budgets count with what the usage ledger has, once a minute. */
export class TokenDrift {
  readonly #parts: TokenDriftParts;
  #timer: Timer | undefined;
  #measuring: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: TokenDriftParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.after(EVERY_MS, () => {
      // Without the database there is nothing to compare; the last number stands.
      this.#measuring = this.measure()
        .catch(() => {})
        .finally(() => this.start());
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#measuring;
  }

  async measure(): Promise<void> {
    const { rows } = await this.#parts.pool.query<{ drift: string }>({
      name: 'token_drift',
      text: `select coalesce(sum(abs(told - ledger_tokens(stack_id, day))), 0)::text as drift from (
          select stack_id, day, sum(settled)::bigint as told from limit_shares
          where kind = 'tokens' and day >= (now() at time zone 'utc')::date - 1 group by stack_id, day) as days`,
    });
    this.#parts.onMeasured(Number(rows[0]?.drift ?? 0));
  }
}
