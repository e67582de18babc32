import { CallerLimits } from '../access/caller-limits.ts';
import { LeasedMoneyBudget } from '../access/leased-money-budget.ts';
import { LeasedTokenBudget } from '../access/leased-token-budget.ts';
import type { PriceList } from '../access/price-list.ts';
import { RequestAdmission } from '../access/request-admission.ts';
import { ShareKeeper } from '../access/share-keeper.ts';
import { turnClock, turnWallClock } from '../lib/clock.ts';
import type { Database } from '../store/database.ts';
import { SqlShareBook } from '../store/sql-share-book.ts';
import { TokenDrift } from '../store/token-drift.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { GatewayModule } from './gateway-module.ts';

export interface LimitsPartOptions {
  readonly database: Pick<Database, 'pool' | 'kind'>;
  readonly metrics: Metrics;
  readonly prices: PriceList;
  /** The name of this process in the database. */
  readonly process: string;
}

/** The ceilings of callers: tokens per day, requests per minute, concurrent requests. */
export class LimitsModule implements GatewayModule {
  readonly admission: RequestAdmission;
  readonly budget: LeasedTokenBudget;
  readonly money: LeasedMoneyBudget;
  readonly callerLimits: CallerLimits;
  readonly #keeper: ShareKeeper;
  readonly #drift: TokenDrift;

  constructor({ database: { pool, kind }, metrics, prices, process }: LimitsPartOptions) {
    const clock = turnClock;
    const book = new SqlShareBook(pool, process);
    // The embedded database has one process, so no other one serves the same stacks.
    const isAlone = kind !== 'postgres';
    this.#keeper = new ShareKeeper({ book, clock, isAlone });
    const leasing = { keeper: this.#keeper, clock, wallClock: turnWallClock };
    this.budget = new LeasedTokenBudget(leasing);
    this.money = new LeasedMoneyBudget({ ...leasing, prices });
    this.admission = new RequestAdmission({ clock, ...(!isAlone && { keeper: this.#keeper }) });
    const { admission, budget, money } = this;
    this.callerLimits = new CallerLimits({ admission, budget, money, book, clock });
    this.#drift = new TokenDrift({
      pool,
      clock,
      onMeasured: (tokens) => metrics.limits.driftMeasured(tokens),
    });
  }

  start(): void {
    this.#drift.start();
  }

  async stop(): Promise<void> {
    await this.#drift.stop();
    await this.#keeper.close();
  }
}
