/** Flow control: how many more batches may be sent before the reader makes room. */
export class Credit {
  #batches: number;
  #wake: (() => void) | undefined;

  constructor(batches: number) {
    this.#batches = batches;
  }

  give(batches: number): void {
    this.#batches += batches;
    this.#wake?.();
  }

  /** Takes one credit, waiting if there is none; one taker at a time. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while (this.#batches === 0) await this.#given(signal);
    this.#batches -= 1;
  }

  #given(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      this.#wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
    });
  }
}
