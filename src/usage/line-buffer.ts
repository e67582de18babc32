/** The lines of one turn of the event loop, and many more. */
const SIZE_BYTES = 64 * 1_024;
const MOST_LINE_BYTES = 1_024;
const SPACE = 0x20;
const NEWLINE = 0x0a;
const ZERO = 0x30;

/** Puts lines of ASCII words and numbers together in one buffer: with strings it takes three times as long. */
export class LineBuffer {
  readonly bytes = Buffer.alloc(SIZE_BYTES);
  #length = 0;
  #start = 0;

  /** The length of all lines; `bytes` are valid so far. */
  get length(): number {
    return this.#length;
  }

  /** Whether there is room for one more line. */
  get hasRoom(): boolean {
    return this.#length <= SIZE_BYTES - MOST_LINE_BYTES;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Begins a line with a word. */
  begin(word: string): void {
    this.#start = this.#length;
    this.#put(word);
  }

  word(word: string): void {
    this.bytes[this.#length++] = SPACE;
    this.#put(word);
  }

  number(value: number): void {
    if (value < 0 || !Number.isSafeInteger(value)) {
      this.word(String(value));
      return;
    }
    this.bytes[this.#length++] = SPACE;
    let digits = 1;
    for (let power = 10; value >= power; power *= 10) digits++;
    this.#length += digits;
    let rest = value;
    for (let place = this.#length - 1; digits > 0; digits--) {
      const tens = Math.floor(rest / 10);
      this.bytes[place--] = ZERO + (rest - tens * 10);
      rest = tens;
    }
  }

  end(): void {
    this.bytes[this.#length++] = NEWLINE;
    if (this.#length - this.#start <= MOST_LINE_BYTES) return;
    this.#length = this.#start;
    throw new Error('a line of the usage journal is too long');
  }

  #put(word: string): void {
    for (let place = 0; place < word.length; place++) this.bytes[this.#length++] = word.charCodeAt(place);
  }
}
