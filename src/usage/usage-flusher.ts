import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import type { UsageBatch, UsageLedger } from './usage-ledger.ts';
import type { UsageObserver } from './usage-observer.ts';
import type { UsageTally } from './usage-tally.ts';

/** Maximum delay of usage, plus the time of a write: well below the promised five seconds. */
const FLUSH_EVERY_MS = 2_000;
/** Rows per batch: a database adds them in some hundredths of a second. */
const BATCH_ROWS = 1_000;
const RETRY_AT_END_MS = 250;

export interface UsageFlusherParts {
  readonly tally: UsageTally;
  readonly ledger: Pick<UsageLedger, 'add'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: UsageObserver;
}

/** Writes the tally to the ledger in batches, one at a time. A failed batch is retried unchanged until it is written. */
export class UsageFlusher {
  readonly #parts: UsageFlusherParts;
  readonly #process = randomUUID();
  #sequence = 0;
  #unwritten: UsageBatch | undefined;
  #timer: Timer | undefined;
  #flushing: Promise<boolean> = Promise.resolve(true);
  #isStopping = false;
  #isFailing = false;

  constructor(parts: UsageFlusherParts) {
    this.#parts = parts;
  }

  /** Unwritten rows. */
  get waiting(): number {
    return this.#parts.tally.size + (this.#unwritten?.rows.length ?? 0);
  }

  start(): void {
    if (this.#isStopping) return;
    this.#timer = this.#parts.clock.after(FLUSH_EVERY_MS, () => {
      void this.flush().finally(() => this.start());
    });
  }

  /** Writes everything; false if the ledger failed. */
  flush(): Promise<boolean> {
    this.#flushing = this.#flushing.then(() => this.#writeAll());
    return this.#flushing;
  }

  /** Writes the rest: at least one attempt, more while there is time. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isStopping = true;
    this.#timer?.cancel();
    while (!(await this.flush())) {
      if (signal.aborted) {
        this.#parts.log.error({ rows: this.waiting }, 'usage could not be written and is lost');
        return;
      }
      await sleep(RETRY_AT_END_MS, undefined, { signal }).catch(() => {});
    }
  }

  async #writeAll(): Promise<boolean> {
    while (this.waiting > 0) {
      this.#unwritten ??= this.#nextBatch();
      try {
        await this.#parts.ledger.add(this.#unwritten);
      } catch (error) {
        this.#tellFailure(error);
        return false;
      }
      this.#unwritten = undefined;
      this.#isFailing = false;
    }
    return true;
  }

  #nextBatch(): UsageBatch {
    this.#sequence++;
    return { process: this.#process, sequence: this.#sequence, rows: this.#parts.tally.take(BATCH_ROWS) };
  }

  /** Logged once per series of failures: they come every two seconds. */
  #tellFailure(error: unknown): void {
    this.#parts.observer.batchFailed();
    if (!this.#isFailing) {
      this.#parts.log.warn(
        { error, rows: this.waiting },
        'usage could not be written; it is kept and tried again',
      );
    }
    this.#isFailing = true;
  }
}
