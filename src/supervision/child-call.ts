import type { Transferable } from 'node:worker_threads';

/** How one request is made. */
export interface RequestOptions {
  /** Aborting rejects at once; the child is told to cancel, and killed when it does not. */
  readonly signal: AbortSignal;
  /**
   * How long the child may owe the answer, or the next batch, before it is killed.
   * Time spent waiting for a place, or for a slow reader, does not count.
   */
  readonly deadlineMs: number;
  /**
   * Present: the deadline is in CPU time of the child's thread, so that a busy machine is not held against the request, and this is
   * the most that it may take by the clock. Where nobody tells CPU time, the deadline is by the clock all the same.
   */
  readonly mostWallMs?: number;
  /** Whose request it is: those that wait take turns among stacks. Absent: the gateway's own. */
  readonly stackId?: string;
  /** Buffers moved instead of copied where the child is a thread; unusable here afterwards. */
  readonly transfer?: readonly Transferable[];
}

/** Whoever has the request now: the queue, and then a child. */
export interface ChildCallHolder {
  cancel(call: ChildCall): void;
  credit(call: ChildCall, batches: number): void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** One request seen from the parent: what is asked, what has come back and is not read yet, how it ended. */
export class ChildCall {
  readonly payload: unknown;
  readonly options: RequestOptions;
  /** How many batches may be buffered here; zero for a request with one answer. */
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

  /** The first outcome counts; batches that came before it can still be read. */
  settle(outcome: Outcome): void {
    if (this.isSettled) return;
    this.#outcome = outcome;
    this.options.signal.removeEventListener('abort', this.#onAbort);
    this.#wake?.();
  }

  /** Ends the request from this side; nothing more is read. */
  abandon(reason: unknown): void {
    this.#buffered = [];
    if (this.isSettled) return;
    this.settle({ error: reason });
    this.#holder?.cancel(this);
  }

  /** All events that are there, at each read; the generator's return value is the answer. */
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
