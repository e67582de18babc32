import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Log } from '../telemetry/log.ts';
import { usageBatches } from './usage-batches.ts';
import type { UsageJournal } from './usage-journal.ts';
import type { UsageBatch, UsageLedger } from './usage-ledger.ts';
import type { UsageObserver } from './usage-observer.ts';
import type { UsageTally } from './usage-tally.ts';

/** Maximum delay of usage, plus the time of a write: well below the promised five seconds. */
const FLUSH_EVERY_MS = 2_000;
const RETRY_AT_END_MS = 250;

export interface UsageFlusherParts {
  readonly tally: UsageTally;
  readonly ledger: Pick<UsageLedger, 'add'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer: UsageObserver;
  /** The name of this process in the ledger. */
  readonly process?: string;
  readonly journal?: Pick<UsageJournal, 'rotate' | 'remove' | 'close'>;
}

/** The batches of a segment of the journal that are still to be written. */
interface Segment {
  readonly sequence: number;
  readonly batches: UsageBatch[];
}

/** Writes the tally to the ledger in batches, one at a time. A failed batch is retried unchanged until it is written. */
export class UsageFlusher {
  readonly #parts: UsageFlusherParts;
  readonly #process: string;
  /** The number of the next batch, and the name of the journal's open segment. */
  #sequence = 1;
  #unwritten: Segment | undefined;
  #timer: Timer | undefined;
  #flushing: Promise<boolean> = Promise.resolve(true);
  #isStopping = false;
  #isFailing = false;

  constructor(parts: UsageFlusherParts) {
    this.#parts = parts;
    this.#process = parts.process ?? randomUUID();
  }

  /** Unwritten rows. */
  get waiting(): number {
    const unwritten = this.#unwritten?.batches ?? [];
    return unwritten.reduce((sum, { rows }) => sum + rows.length, this.#parts.tally.size);
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
    const { log, journal } = this.#parts;
    this.#isStopping = true;
    this.#timer?.cancel();
    while (!(await this.flush())) {
      if (signal.aborted) {
        const rest = journal === undefined ? 'is lost' : 'is left to the next start';
        log.error({ rows: this.waiting }, `usage could not be written and ${rest}`);
        return;
      }
      await sleep(RETRY_AT_END_MS, undefined, { signal }).catch(() => {});
    }
    journal?.close();
  }

  async #writeAll(): Promise<boolean> {
    while (this.waiting > 0) {
      this.#unwritten ??= this.#nextSegment();
      try {
        await this.#write(this.#unwritten);
      } catch (error) {
        this.#tellFailure(error);
        return false;
      }
      this.#unwritten = undefined;
      this.#isFailing = false;
    }
    return true;
  }

  async #write({ sequence, batches }: Segment): Promise<void> {
    const { ledger, journal } = this.#parts;
    for (let [batch] = batches; batch !== undefined; [batch] = batches) {
      await ledger.add(batch);
      batches.shift();
    }
    journal?.remove(sequence);
  }

  #nextSegment(): Segment {
    const { tally, journal } = this.#parts;
    const sequence = this.#sequence;
    const taken = tally.take();
    const batches = [...usageBatches(this.#process, sequence, taken)];
    this.#sequence += batches.length;
    journal?.rotate(this.#sequence, taken);
    return { sequence, batches };
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
