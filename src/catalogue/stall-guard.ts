/** Minimum progress per period. */
const MIN_BYTES_PER_PERIOD = 1024;

/** Aborts a transfer with almost no progress, also while waiting for its first byte. */
export class StallGuard implements Disposable {
  /** Aborted by a stall or by the given signal. */
  readonly signal: AbortSignal;
  readonly #stalled = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;

  constructor(stallMs: number, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stalled.signal]);
    this.#timer = setInterval(() => this.#look(), stallMs);
  }

  get hasStalled(): boolean {
    return this.#stalled.signal.aborted;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
  }

  #look(): void {
    if (this.#bytes < MIN_BYTES_PER_PERIOD) this.#stalled.abort();
    this.#bytes = 0;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
