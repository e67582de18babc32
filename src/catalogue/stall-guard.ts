/** What a transfer must bring in each period to count as alive. */
const MIN_BYTES_PER_PERIOD = 1024;

/** Aborts a transfer that brings next to nothing for a while; also while its first byte is awaited. */
export class StallGuard implements Disposable {
  /** Aborted by a stall or by the signal that was given. */
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

  /** Counts what came. */
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
