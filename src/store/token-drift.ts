import type pg from 'pg';
import { z } from 'zod';
import type { Clock, Timer } from '../lib/clock.ts';
import { queryRow, wholeNumber } from './query.ts';
import { prepared, sql } from './sql.ts';

const EVERY_MS = 60_000;

const driftRow = z.object({ drift: wholeNumber });

export interface TokenDriftParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Receives the tokens by which budgets and ledger differ, of all stacks together. */
  readonly onMeasured: (tokens: number) => void;
}

/** Compares the token budgets with the usage ledger, once a minute. */
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
      // Without the database there is nothing to compare; the last number stays.
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
    const query = prepared(
      'token_drift',
      sql`select coalesce(sum(abs(told - ledger_tokens(stack_id, day))), 0) as drift from (
          select stack_id, day, sum(settled)::bigint as told from limit_shares
          where kind = 'tokens' and day >= (now() at time zone 'utc')::date - 1 group by stack_id, day) as days`,
    );
    const { drift } = await queryRow(this.#parts.pool, driftRow, query);
    this.#parts.onMeasured(drift);
  }
}
