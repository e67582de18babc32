import { Fault } from '../../../faults/fault.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FairQueue, type QueuePermit } from '../../../supervision/fair-queue.ts';
import { slotsPerStack } from '../../../supervision/slots-per-stack.ts';
import { tooSlow, unreachable } from '../../../upstream/engine-faults.ts';

/** Bounds of the queue. */
export interface CountQueueOptions {
  /** Counts that run at the same time. */
  readonly capacity: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerStack: number;
  /** How long a count may wait. */
  readonly patienceMs: number;
  readonly clock: Clock;
}

/** Limits the counts at the servers of one engine; stacks take turns. */
export class CountQueue {
  readonly #options: CountQueueOptions;
  readonly #queue: FairQueue;

  constructor(options: CountQueueOptions) {
    this.#options = options;
    const { capacity, maxWaiting, maxWaitingPerStack } = options;
    this.#queue = new FairQueue({
      capacity,
      runningAlone: slotsPerStack(capacity),
      maxWaiting,
      maxWaitingPerStack,
      refusal: tooManyCounts,
    });
  }

  /** Counts when a permit is free. */
  async run<Result>(stackId: string, signal: AbortSignal, count: () => Promise<Result>): Promise<Result> {
    using _permit = await this.#take(stackId, signal);
    return await count();
  }

  /** Refuses waiting and new counts. */
  close(): void {
    this.#queue.close(unreachable(new Error('the engine was closed')));
  }

  /** Sets a timer only if it has to wait. */
  async #take(stackId: string, signal: AbortSignal): Promise<QueuePermit> {
    signal.throwIfAborted();
    const leaving = new AbortController();
    const permit = this.#queue.take(stackId, leaving.signal);
    if (!(permit instanceof Promise)) return permit;
    const leave = () => leaving.abort(signal.reason);
    const { clock, patienceMs } = this.#options;
    const timer = clock.after(patienceMs, () => leaving.abort(tooSlow('no permit to count became free')));
    signal.addEventListener('abort', leave);
    try {
      return await permit;
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', leave);
    }
  }
}

function tooManyCounts(message: string): Fault {
  return new Fault('too-many-counts', 'Too many prompts wait for their tokens to be counted; retry.', {
    cause: new Error(message),
  });
}
