import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';

/** Generous: maintenance of a large database takes long. */
const MAINTENANCE_TIMEOUT_MS = 10 * 60_000;
const WRITE_POSITION = 'SELECT pg_current_wal_insert_lsn()';

/** Options of `Maintenance`. */
export interface MaintenanceOptions {
  /** Runs a statement when the session is free; resolves to the first value of its answer. */
  readonly run: (sql: string, timeoutMs: number) => Promise<string | undefined>;
  readonly log: EmbeddedDatabaseLog;
  readonly checkpointIntervalMs: number;
  readonly vacuumIntervalMs: number;
}

/** Runs CHECKPOINT and VACUUM at intervals, in place of the background processes that PGlite lacks. */
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

  /** Stops the timers. */
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
