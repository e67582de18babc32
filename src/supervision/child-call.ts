import type { Transferable } from 'node:worker_threads';
import type { SpanParent } from '../telemetry/request-trace.ts';

export interface RequestOptions {
  /** Aborting rejects at once; the child is asked to cancel, and killed if it does not. */
  readonly signal: AbortSignal;
  /**
   * How long the child may take for the answer, or the next batch, before it is killed. Waiting in the queue or for a slow
   * reader does not count.
   */
  readonly deadlineMs: number;
  /**
   * If present, the deadline is in CPU time of the child's thread, so that a busy machine is not held against the request, and
   * this is the limit in wall time. Where CPU time is not available, the deadline is in wall time.
   */
  readonly mostWallMs?: number;
  /** The stack, for taking turns in the queue. Absent: the gateway itself. */
  readonly stackId?: string;
  /** Waits in queues become parts of it. Absent: the request is not traced. */
  readonly span?: SpanParent | undefined;
  /** Buffers to transfer rather than copy to a worker thread; unusable here afterwards. */
  readonly transfer?: readonly Transferable[];
}

/** The current holder of a call: the queue, then a child. */
export interface ChildCallHolder {
  cancel(call: ChildCall): void;
  credit(call: ChildCall, batches: number): void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** One request to a child as seen by the parent: payload, unread batches and outcome. */
export class ChildCall {
  readonly payload: unknown;
  readonly options: RequestOptions;
  /** How many batches may be buffered; zero for a request with a single answer. */
  readonly window: number;
  #holder: ChildCallHolder | undefined;
  #buffered: (readonly unknown[])[] = [];
  #outcome: Outcome | undefined;
  #wake: (() => void) | undefined;

  constructor(request: { payload: unknown; options: RequestOptions; window: number }) {
    this.payload = request.payload;
    this.options = request.options;
    this.window = request.window;
    this.options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get isSettled(): boolean {
    return this.#outcome !== undefined;
  }

  heldBy(holder: ChildCallHolder): void {
    this.#holder = holder;
  }

  push(events: readonly unknown[]): void {
    if (this.isSettled) return;
    this.#buffered.push(events);
    this.#wake?.();
  }

  /** The first outcome counts; batches received before it can still be read. */
  settle(outcome: Outcome): void {
    if (this.isSettled) return;
    this.#outcome = outcome;
    this.options.signal.removeEventListener('abort', this.#onAbort);
    this.#wake?.();
  }

  /** Cancels the call; buffered batches are dropped. */
  abandon(reason: unknown): void {
    this.#buffered = [];
    if (this.isSettled) return;
    this.settle({ error: reason });
    this.#holder?.cancel(this);
  }

  /** Yields all buffered events at each read; the return value is the answer. */
  async *batches(): AsyncGenerator<readonly unknown[], unknown> {
    for (;;) {
      const batches = this.#take();
      if (batches.length > 0) {
        yield batches.flat();
      } else if (this.#outcome) {
        if ('error' in this.#outcome) throw this.#outcome.error;
        return this.#outcome.value;
      } else {
        await this.#changed();
      }
    }
  }

  #take(): readonly (readonly unknown[])[] {
    const batches = this.#buffered;
    this.#buffered = [];
    if (batches.length > 0 && !this.isSettled) this.#holder?.credit(this, batches.length);
    return batches;
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  readonly #onAbort = (): void => this.abandon(this.options.signal.reason);
}
