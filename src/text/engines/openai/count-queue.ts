import { Fault } from '../../../faults/fault.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FairQueue, type QueuePermit } from '../../../supervision/fair-queue.ts';
import { slotsPerStack } from '../../../supervision/slots-per-stack.ts';
import { tooSlow, unreachable } from '../../../upstream/engine-faults.ts';

/** How many counts there may be, and how long one waits. */
export interface CountQueueOptions {
  /** At once. */
  readonly capacity: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerStack: number;
  /** How long a count waits for its turn. */
  readonly patienceMs: number;
  readonly clock: Clock;
}

/** Places for the counts at the servers of one engine, in which stacks take turns. */
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

  /** Counts in a permit of its own. */
  async run<Result>(stackId: string, signal: AbortSignal, count: () => Promise<Result>): Promise<Result> {
    using _permit = await this.#take(stackId, signal);
    return await count();
  }

  /** Refuses everybody who waits or comes. */
  close(): void {
    this.#queue.close(unreachable(new Error('the engine was closed')));
  }

  /** Only who has to wait has a timer. */
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
