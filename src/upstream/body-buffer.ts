import { Buffer } from 'node:buffer';

/** Collects a body up to a bound. */
export class BodyBuffer {
  readonly #maximumBytes: number;
  #pieces: Buffer[] = [];
  /** Preallocated if the length is known, so that large bodies are copied once instead of twice. */
  #room: Buffer | undefined;
  #sizeBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** Whether the body exceeded the bound. */
  get isOverfull(): boolean {
    return this.#sizeBytes > this.#maximumBytes;
  }

  /** Preallocates for a body of this length. */
  expect(sizeBytes: number): void {
    if (sizeBytes <= this.#maximumBytes) this.#room = Buffer.allocUnsafe(sizeBytes);
  }

  /** Copies the bytes: their buffer is reused by the next read. */
  add(bytes: Buffer): void {
    const at = this.#sizeBytes;
    this.#sizeBytes += bytes.length;
    if (this.isOverfull) return;
    if (this.#room === undefined) this.#pieces.push(Buffer.from(bytes));
    else bytes.copy(this.#room, at);
  }

  whole(): Buffer {
    if (this.#room !== undefined) return this.#room.subarray(0, this.#sizeBytes);
    const [first] = this.#pieces;
    return first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
  }
}
