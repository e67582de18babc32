import type { Caller } from '../../src/access/caller.ts';
import type { ImagePermit, ImageQueue, ImageStanding } from '../../src/images/image-queue.ts';

/** An in-memory queue that admits everything by default. */
export class MemoryImageQueue implements ImageQueue {
  /** Stacks that entered, in order. */
  readonly entered: string[] = [];
  /** Permits held. */
  held = 0;
  waitedMs = 12.34;
  /** Thrown by `enter`. */
  failure: unknown;
  #losing = new AbortController();

  async enter({ stack }: Caller, signal: AbortSignal): Promise<ImagePermit> {
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    this.entered.push(stack.id);
    this.held += 1;
    let isHeld = true;
    const release = () => {
      if (isHeld) this.held -= 1;
      isHeld = false;
    };
    signal.addEventListener('abort', release, { once: true });
    return {
      waitedMs: this.waitedMs,
      lost: this.#losing.signal,
      [Symbol.asyncDispose]: async () => release(),
    };
  }

  async standing(stackId: string): Promise<ImageStanding> {
    const submissions = this.entered.filter((entered) => entered === stackId).length;
    return { submissions, inFlight: this.held, rendering: this.held };
  }

  /** Revokes all permits. */
  lose(): void {
    this.#losing.abort(new Error('the lease ran out'));
  }
}
