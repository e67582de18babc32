import type { Clock, Timer } from '../../lib/clock.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import type { PassOutcome } from './folder-pass.ts';

/** Between two looks at a folder, by any process. */
export const LOOK_EVERY_MS = 60_000;
/** After a change was seen, or while another process looks: changes come in swarms. */
const SOON_MS = 1_000;
/** Doubled with each look at files that are still being written. */
const WAITING_MS = 2_000;
/** At most a fifth of the time is spent on a folder that changes all the time. */
const REST_FACTOR = 4;

export interface FolderWatchParts {
  /** Looks through the folder once; with `unlessWithinMs` not if that was done within this time. */
  readonly look: (ask: {
    readonly unlessWithinMs: number;
    readonly signal: AbortSignal;
  }) => Promise<PassOutcome>;
  /** Waits for the turn of this folder: a process looks through one at a time. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly clock: Clock;
}

/** Looks through a folder at once, when something changed, and from time to time. */
export class FolderWatch {
  readonly #parts: FolderWatchParts;
  readonly #stopping = new AbortController();
  #timer: Timer | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> = Promise.resolve();
  #isLooking = false;
  /** Whether to look even if another process just did. */
  #isChanged = true;
  #waits = 0;

  constructor(parts: FolderWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#plan(0);
  }

  /** Something may have changed. */
  changed(): void {
    this.#isChanged = true;
    this.#waits = 0;
    if (!this.#isLooking) this.#plan(SOON_MS);
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the folder is not watched any more'));
    this.#timer?.cancel();
    await this.#running;
  }

  /** An earlier plan stands: a folder that changes all the time would never be looked at. */
  #plan(delayMs: number): void {
    const dueMs = this.#parts.clock.nowMs() + delayMs;
    if (this.#stopping.signal.aborted || dueMs >= this.#dueMs) return;
    this.#timer?.cancel();
    this.#dueMs = dueMs;
    this.#timer = this.#parts.clock.after(delayMs, () => {
      this.#isLooking = true;
      this.#running = this.#parts.inTurn(() => this.#look());
    });
  }

  async #look(): Promise<void> {
    const { look, failed, clock } = this.#parts;
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const startMs = clock.nowMs();
    const unlessWithinMs = this.#isChanged ? 0 : LOOK_EVERY_MS - SOON_MS;
    this.#isChanged = false;
    // A network folder that hangs does not hear of the end.
    const outcome = await orAborted(look({ unlessWithinMs, signal }), signal).catch((error: unknown) => {
      if (!signal.aborted) failed(error);
      return 'failed' as const;
    });
    const restMs = REST_FACTOR * (clock.nowMs() - startMs);
    this.#isLooking = false;
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#plan(Math.max(restMs, this.#delayAfter(outcome)));
  }

  #delayAfter(outcome: PassOutcome | 'failed'): number {
    const wasChanged = this.#isChanged;
    if (outcome === 'failed') return LOOK_EVERY_MS;
    if (outcome === 'busy' || outcome === 'waiting') this.#isChanged = true;
    if (wasChanged || outcome === 'busy') return SOON_MS;
    if (outcome === 'done') return LOOK_EVERY_MS;
    this.#waits += 1;
    return Math.min(LOOK_EVERY_MS, WAITING_MS * 2 ** (this.#waits - 1));
  }
}
