import { Buffer } from 'node:buffer';

/** Keeps the bytes of a body up to a bound. */
export class BodyBuffer {
  readonly #maximumBytes: number;
  #pieces: Buffer[] = [];
  /** Room for a body whose length was told beforehand; large ones are copied once instead of twice. */
  #room: Buffer | undefined;
  #sizeBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** Whether more came than is kept. */
  get isOverfull(): boolean {
    return this.#sizeBytes > this.#maximumBytes;
  }

  /** Makes room for a body of this length, before any of it has come. */
  expect(sizeBytes: number): void {
    if (sizeBytes <= this.#maximumBytes) this.#room = Buffer.allocUnsafe(sizeBytes);
  }

  /** Takes a copy, for the bytes belong to a buffer that the next read fills again. */
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
