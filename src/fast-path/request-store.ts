import { Buffer } from 'node:buffer';

const NOTHING: Buffer = Buffer.alloc(0);
/** As much as a small request has. */
const MINIMUM_BYTES = 4 * 1024;

/**
 * Where the requests of one connection lie until they are answered, one after the other. Buffers that live as long as a
 * request would make the garbage collector look through the whole heap every few hundred requests.
 */
export class RequestStore {
  #memory = NOTHING;
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** What has arrived of the request. */
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

  /** The next request takes the place of this one. */
  clear(): void {
    this.#sizeBytes = 0;
  }

  /** Gives the memory back. */
  free(): void {
    this.#memory = NOTHING;
    this.#sizeBytes = 0;
  }
}
