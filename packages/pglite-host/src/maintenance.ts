import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';

/** Maintenance may take long on a large database, but not for ever. */
const MAINTENANCE_TIMEOUT_MS = 10 * 60_000;
const WRITE_POSITION = 'SELECT pg_current_wal_insert_lsn()';

/** What maintenance works on and how often. */
export interface MaintenanceOptions {
  /** Runs a statement between the others; the first value of its answer. */
  readonly run: (sql: string, timeoutMs: number) => Promise<string | undefined>;
  readonly log: EmbeddedDatabaseLog;
  readonly checkpointIntervalMs: number;
  readonly vacuumIntervalMs: number;
}

/** Does what PostgreSQL's background processes would do, had PGlite any: CHECKPOINT and VACUUM. */
export class Maintenance {
  readonly #options: MaintenanceOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  #positionAfterCheckpoint: string | undefined;
  #isBusy = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.#attempt(() => this.#checkpointIfDirty()), options.checkpointIntervalMs),
      setInterval(() => void this.#attempt(() => this.#run('VACUUM ANALYZE')), options.vacuumIntervalMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  /** Ends the timers. */
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await work();
    } catch (error) {
      this.#options.log({ type: 'maintenance-failed', message: String(error) });
    } finally {
      this.#isBusy = false;
    }
  }

  async #checkpointIfDirty(): Promise<void> {
    if ((await this.#run(WRITE_POSITION)) === this.#positionAfterCheckpoint) return;
    await this.#run('CHECKPOINT');
    this.#positionAfterCheckpoint = await this.#run(WRITE_POSITION);
  }

  #run(sql: string): Promise<string | undefined> {
    return this.#options.run(sql, MAINTENANCE_TIMEOUT_MS);
  }
}
