import { join } from 'node:path';
import type pg from 'pg';
import type { PriceList } from '../access/price-list.ts';
import type { Config } from '../config/config.ts';
import { systemClock, type Timer, turnWallClock } from '../lib/clock.ts';
import { SqlBudgetNotices } from '../store/sql-budget-notices.ts';
import { SqlUsage } from '../store/sql-usage.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import { UsageSweeper } from '../store/usage-sweeper.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { BudgetWebhook } from '../usage/budget-webhook.ts';
import { JournalRecovery } from '../usage/journal-recovery.ts';
import { UsageFlusher } from '../usage/usage-flusher.ts';
import { UsageJournal } from '../usage/usage-journal.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { UsageTally } from '../usage/usage-tally.ts';
import type { GatewayModule, QueueDepth } from './gateway-module.ts';

const RECOVER_AGAIN_MS = 10_000;

export interface UsagePartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly prices: PriceList;
  /** The name of this process in the database. */
  readonly process: string;
}

/** Usage: summed up in memory, journaled on the disk, written in batches, deleted after a while. */
export class UsageModule implements GatewayModule {
  readonly tally: UsageTally;
  readonly ledger: UsageLedger;
  readonly #recovery: JournalRecovery;
  readonly #flusher: UsageFlusher;
  readonly #sweeps: SweepSchedule;
  /** Absent if no webhook is configured. */
  readonly #webhook: BudgetWebhook | undefined;
  #again: Timer | undefined;

  constructor({ config, log, metrics, pool, prices, process }: UsagePartOptions) {
    const observer = metrics.usage;
    const folder = join(config.dataDir, 'usage');
    const journal = new UsageJournal({ folder, process, log });
    this.tally = new UsageTally({ clock: turnWallClock, observer, journal });
    const ledger = new SqlUsage(pool);
    this.ledger = ledger;
    const { tally } = this;
    this.#recovery = new JournalRecovery({ folder, process, ledger, log });
    this.#flusher = new UsageFlusher({ tally, ledger, clock: systemClock, log, observer, process, journal });
    const sweeper = new UsageSweeper({
      pool,
      days: config.retention.usageDays,
      keepsMonth: () => !prices.isEmpty,
    });
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

  async prepare(): Promise<void> {
    await this.#recovery.open();
    await this.#recover();
  }

  start(): void {
    this.#flusher.start();
    this.#sweeps.start();
    this.#webhook?.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#again?.cancel();
    await this.#webhook?.stop();
    await this.#sweeps.stop();
    await this.#flusher.stop(signal);
    this.#recovery.close();
  }

  async #recover(): Promise<void> {
    if (await this.#recovery.recover()) return;
    this.#again = systemClock.after(RECOVER_AGAIN_MS, () => void this.#recover());
  }
}
