import type { Usage } from '../../text-event.ts';

const MAXIMUM_REMEMBERED = 2_000;

/** A count, and what it cost until somebody has paid for it. */
export interface Counted {
  readonly tokens: number;
  unpaid: Usage | undefined;
}

interface Counting {
  readonly result: Promise<Counted>;
  readonly abort: AbortController;
  waiting: number;
  isOver: boolean;
}

/** Remembers counts, and lets those who ask for the same at the same time share one call. */
export class SharedCounts {
  readonly #known = new Map<string, number>();
  readonly #underWay = new Map<string, Counting>();

  async get(
    key: string,
    count: (signal: AbortSignal) => Promise<Counted>,
    signal: AbortSignal,
  ): Promise<Counted> {
    signal.throwIfAborted();
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#remember(key, known);
      return { tokens: known, unpaid: undefined };
    }
    const counting = this.#underWay.get(key) ?? this.#begin(key, count);
    counting.waiting += 1;
    try {
      return await unlessAborted(counting.result, signal);
    } finally {
      counting.waiting -= 1;
      // The last to leave ends the call; whoever asks next begins a new one.
      if (counting.waiting === 0) {
        this.#forget(key, counting);
        // An abort makes an error with its stack: none where the call is over.
        if (!counting.isOver) counting.abort.abort();
      }
    }
  }

  #begin(key: string, count: (signal: AbortSignal) => Promise<Counted>): Counting {
    const abort = new AbortController();
    const result = count(abort.signal).then((counted) => {
      this.#remember(key, counted.tokens);
      counting.isOver = true;
      return counted;
    });
    const counting = { result, abort, waiting: 0, isOver: false };
    this.#underWay.set(key, counting);
    return counting;
  }

  #forget(key: string, counting: Counting): void {
    if (this.#underWay.get(key) === counting) this.#underWay.delete(key);
  }

  /** The latest used come last; the first one goes when there are too many. */
  #remember(key: string, tokens: number): void {
    this.#known.delete(key);
    this.#known.set(key, tokens);
    if (this.#known.size <= MAXIMUM_REMEMBERED) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
