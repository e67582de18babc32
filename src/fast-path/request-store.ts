import { Buffer } from 'node:buffer';

const NOTHING: Buffer = Buffer.alloc(0);
/** Enough for a small request. */
const MINIMUM_BYTES = 4 * 1024;

/**
 * The buffer of one connection, used for one request after the other. Buffers that live as long as a request would make the
 * garbage collector scan the whole heap every few hundred requests.
 */
export class RequestStore {
  #memory = NOTHING;
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The bytes received so far. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#sizeBytes);
  }

  add(bytes: Buffer): void {
    const sizeBytes = this.#sizeBytes + bytes.length;
    if (this.#memory.length < sizeBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.max(MINIMUM_BYTES, 2 ** Math.ceil(Math.log2(sizeBytes))));
      this.#memory.copy(larger, 0, 0, this.#sizeBytes);
      this.#memory = larger;
    }
    bytes.copy(this.#memory, this.#sizeBytes);
    this.#sizeBytes = sizeBytes;
  }

  /** Makes room for the next request. */
  clear(): void {
    this.#sizeBytes = 0;
  }

  /** Frees the buffer. */
  free(): void {
    this.#memory = NOTHING;
    this.#sizeBytes = 0;
  }
}
