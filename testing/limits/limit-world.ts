import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { LeasedMoneyBudget } from '../../src/access/leased-money-budget.ts';
import { LeasedTokenBudget } from '../../src/access/leased-token-budget.ts';
import { RequestAdmission } from '../../src/access/request-admission.ts';
import { ShareKeeper } from '../../src/access/share-keeper.ts';
import { SqlShareBook } from '../../src/store/sql-share-book.ts';
import { HeldClock } from '../bad-child/clocks.ts';
import { HeldClock as HeldWallClock } from '../held-clock.ts';
import { FlakyShareBook } from './flaky-share-book.ts';

/** A process as ceilings see it: its own memory and clock. */
export interface LimitProcess {
  /** Its name in the database. */
  readonly name: string;
  readonly book: FlakyShareBook;
  readonly clock: HeldClock;
  readonly keeper: ShareKeeper;
  readonly budget: LeasedTokenBudget;
  readonly money: LeasedMoneyBudget;
  readonly admission: RequestAdmission;
}

const QUIET_TURNS = 3;
// One beat.
const STEP_MS = 2_000;

/**
 * Several processes that share the ceilings of one database, in which time advances only when told to: leases are moved into the
 * past.
 */
export class LimitWorld {
  readonly wallClock = new HeldWallClock(Date.UTC(2026, 10, 16, 12));
  readonly #pool: pg.Pool;
  readonly #living = new Set<LimitProcess>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  start(): LimitProcess {
    const clock = new HeldClock();
    const name = randomUUID();
    const book = new FlakyShareBook(new SqlShareBook(this.#pool, name));
    const keeper = new ShareKeeper({ book, clock });
    const process = {
      name,
      book,
      clock,
      keeper,
      budget: new LeasedTokenBudget({ keeper, clock, wallClock: this.wallClock }),
      money: new LeasedMoneyBudget({ keeper, clock, wallClock: this.wallClock, prices: { currency: 'EUR' } }),
      admission: new RequestAdmission({ clock, keeper }),
    };
    this.#living.add(process);
    return process;
  }

  /** Stops everything of the process. */
  kill(process: LimitProcess): void {
    this.#living.delete(process);
  }

  isAlive(process: LimitProcess): boolean {
    return this.#living.has(process);
  }

  /** Advances the time for the database and all live processes. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      const stepMs = Math.min(STEP_MS, durationMs - passedMs);
      await this.#pool.query(
        `update limit_shares set lease_until = lease_until - make_interval(secs => $1) where holder <> ''`,
        [stepMs / 1000],
      );
      this.wallClock.advance(stepMs);
      for (const { clock } of this.#living) clock.pass(stepMs);
      await this.settle();
    }
  }

  /** Waits until the database is idle. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await nextTurn();
      const { idleCount, totalCount, waitingCount } = this.#pool;
      quiet = idleCount === totalCount && waitingCount === 0 ? quiet + 1 : 0;
    }
  }

  /** Stored settlements, by stack and day. */
  async settledTokens(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#pool.query<{ name: string; settled: string }>(
      `select stack_id || ' ' || day as name, sum(settled) as settled from limit_shares
       where kind = 'tokens' group by stack_id, day having sum(settled) > 0`,
    );
    return new Map(rows.map(({ name, settled }) => [name, Number(settled)]));
  }
}
