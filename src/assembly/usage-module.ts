import type pg from 'pg';
import type { PriceList } from '../access/price-list.ts';
import type { Config } from '../config/config.ts';
import { systemClock, turnWallClock } from '../lib/clock.ts';
import { SqlBudgetNotices } from '../store/sql-budget-notices.ts';
import { SqlUsage } from '../store/sql-usage.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import { UsageSweeper } from '../store/usage-sweeper.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BudgetWebhook } from '../usage/budget-webhook.ts';
import { UsageFlusher } from '../usage/usage-flusher.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { UsageTally } from '../usage/usage-tally.ts';
import type { GatewayModule, QueueDepth } from './gateway-module.ts';

export interface UsagePartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly prices: PriceList;
}

/** Usage: summed up in memory, written in batches, deleted after a while. */
export class UsageModule implements GatewayModule {
  readonly tally: UsageTally;
  readonly ledger: UsageLedger;
  readonly #flusher: UsageFlusher;
  readonly #sweeps: SweepSchedule;
  /** Absent if no webhook is configured. */
  readonly #webhook: BudgetWebhook | undefined;

  constructor({ config, log, metrics, pool, prices }: UsagePartOptions) {
    const observer = metrics.usage;
    this.tally = new UsageTally({ clock: turnWallClock, observer });
    this.ledger = new SqlUsage(pool);
    const { tally, ledger } = this;
    this.#flusher = new UsageFlusher({ tally, ledger, clock: systemClock, log, observer });
    const sweeper = new UsageSweeper({ pool, days: config.retention.usageDays });
    this.#sweeps = new SweepSchedule({ what: 'rows of usage', sweeper, clock: systemClock, log });
    const { webhook } = config.budgets;
    this.#webhook =
      webhook &&
      new BudgetWebhook({
        webhook,
        notices: new SqlBudgetNotices(pool),
        currency: () => prices.currency,
        clock: systemClock,
        wallClock: turnWallClock,
        log,
      });
  }

  queueDepths(): readonly QueueDepth[] {
    return [['usage', this.#flusher.waiting]];
  }

  start(): void {
    this.#flusher.start();
    this.#sweeps.start();
    this.#webhook?.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    await this.#webhook?.stop();
    await this.#sweeps.stop();
    await this.#flusher.stop(signal);
  }
}
