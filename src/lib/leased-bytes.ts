import { freeMemory } from './free-memory.ts';

/** Bytes whose memory is freed when the last of their holders has let go. */
export class LeasedBytes {
  readonly #bytes: Uint8Array;
  #holders = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Keeps the memory until the result is disposed; disposing twice does nothing. */
  hold(): Disposable {
    this.#holders += 1;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holders -= 1;
        if (this.#holders === 0) freeMemory(this.#bytes);
      },
    };
  }
}
