/** Keeps the bytes of a body up to a bound. */
export class BodyBuffer {
  readonly #maximumBytes: number;
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  /** Whether more came than is kept. */
  get isOverfull(): boolean {
    return this.#sizeBytes > this.#maximumBytes;
  }

  /** Takes a copy, for the bytes belong to a buffer that the next read fills again. */
  add(bytes: Buffer): void {
    this.#sizeBytes += bytes.length;
    if (!this.isOverfull) this.#pieces.push(Buffer.from(bytes));
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}
