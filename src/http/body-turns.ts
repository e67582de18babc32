import type { Clock } from '../lib/clock.ts';
import { LoopTurns } from '../supervision/loop-turns.ts';
import type { StackActivity } from '../supervision/stack-activity.ts';

/** The part of a body that is read before others get their turn: Node would read two megabytes of each at a time. */
export const BYTES_PER_TURN = 64 * 1024;
/** Pieces of the bodies of one stack that are read in one turn of the event loop. */
const PIECES_PER_TURN = 2;
/** More than there are connections. */
const MAX_WAITING = 20_000;
/**
 * How fast the bodies of one stack are read together while other stacks are served. Reading costs the thread of requests half a
 * millisecond for each MiB; bytes that cost more count as more.
 */
const BYTES_PER_MS = 32 * 1024;
/** How long a stack must have read nothing for the next 2 MiB to be read faster. */
const PAUSE_MS = 64;

export interface BodyTurnsParts {
  readonly clock: Clock;
  readonly activity: Pick<StackActivity, 'hasOthers'>;
}

/** The bodies of a stack take turns, so that all of them together hold up other stacks no more than one does. */
export class BodyTurns {
  readonly #parts: BodyTurnsParts;
  readonly #turns = new LoopTurns({ piecesPerTurn: PIECES_PER_TURN, maxWaiting: MAX_WAITING });
  /** When the bytes of a stack that were let through are read at its pace. */
  readonly #pacedUntilMs = new Map<string, number>();

  constructor(parts: BodyTurnsParts) {
    this.#parts = parts;
  }

  /** Stacks with a pace. */
  get paced(): number {
    return this.#pacedUntilMs.size;
  }

  /** Begins a piece of a body: undefined if it may be read at once, else a promise that resolves in its turn. */
  take(stackId: string, sizeBytes: number): Promise<void> | undefined {
    const delayMs = this.#delayMs(stackId, sizeBytes);
    if (delayMs <= 0) return this.#turns.take(stackId);
    return new Promise<void>((resolve) => {
      this.#parts.clock.after(delayMs, () => resolve(this.#turns.take(stackId)));
    });
  }

  #delayMs(stackId: string, sizeBytes: number): number {
    const nowMs = this.#parts.clock.nowMs();
    if (!this.#parts.activity.hasOthers(stackId, nowMs)) return 0;
    const earlierMs = this.#pacedUntilMs.get(stackId);
    const sinceMs = Math.max(earlierMs ?? Number.NEGATIVE_INFINITY, nowMs - PAUSE_MS);
    this.#pacedUntilMs.set(stackId, sinceMs + sizeBytes / BYTES_PER_MS);
    if (earlierMs === undefined) this.#forgetLater(stackId);
    return sinceMs - nowMs;
  }

  #forgetLater(stackId: string): void {
    const { clock } = this.#parts;
    clock.after(PAUSE_MS, () => {
      const untilMs = this.#pacedUntilMs.get(stackId) ?? Number.NEGATIVE_INFINITY;
      if (untilMs > clock.nowMs() - PAUSE_MS) this.#forgetLater(stackId);
      else this.#pacedUntilMs.delete(stackId);
    });
  }
}
