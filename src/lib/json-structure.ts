/** Size measures of a JSON text. */
export interface JsonStructure {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Most names and values are shorter: for them a native search costs more than it saves. */
const SHORT_STRING_BYTES = 48;

/**
 * Measures the nesting and number of values of a JSON text while its chunks arrive, before parsing. Long strings are skipped by
 * a native search at almost no cost. For broken JSON the result is arbitrary; the parser rejects it.
 */
export class JsonStructureMeter {
  #depth = 0;
  #deepest = 0;
  #values = 1;
  #inString = false;
  /** Whether the last chunk ended inside a string with an odd number of backslashes. */
  #escaped = false;

  get structure(): JsonStructure {
    return { depth: this.#deepest, values: this.#values };
  }

  add(chunk: Buffer): void {
    let position = 0;
    while (position < chunk.length) {
      position = this.#inString ? this.#skipString(chunk, position) : this.#readOutside(chunk, position);
    }
  }

  /** Reads to the end of the chunk, or to the start of a long string. */
  #readOutside(chunk: Buffer, from: number): number {
    let position = from;
    while (position < chunk.length) {
      const byte = chunk[position++];
      if (byte === QUOTE) {
        const end = shortStringEnd(chunk, position);
        if (end === -1) {
          this.#inString = true;
          this.#escaped = false;
          return position;
        }
        position = end;
      } else if (byte === COMMA || byte === COLON) {
        this.#values++;
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        this.#depth++;
        this.#values++;
        if (this.#depth > this.#deepest) this.#deepest = this.#depth;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        this.#depth--;
      }
    }
    return position;
  }

  #skipString(chunk: Buffer, from: number): number {
    let searchFrom = from;
    for (;;) {
      const quote = chunk.indexOf(QUOTE, searchFrom);
      const end = quote === -1 ? chunk.length : quote;
      const escaped = this.#endsEscaped(chunk, from, end);
      if (quote === -1) {
        this.#escaped = escaped;
        return chunk.length;
      }
      if (!escaped) {
        this.#inString = false;
        this.#escaped = false;
        return quote + 1;
      }
      searchFrom = quote + 1;
    }
  }

  /** Whether the number of backslashes before `end` is odd, including those of the previous chunk. */
  #endsEscaped(chunk: Buffer, from: number, end: number): boolean {
    let first = end;
    while (first > from && chunk[first - 1] === BACKSLASH) first--;
    const odd = (end - first) % 2 === 1;
    return first === from && this.#escaped ? !odd : odd;
  }
}

/** The end of a short string without escapes; -1 for any other. */
function shortStringEnd(chunk: Buffer, from: number): number {
  const limit = Math.min(chunk.length, from + SHORT_STRING_BYTES);
  for (let position = from; position < limit; position++) {
    const byte = chunk[position];
    if (byte === QUOTE) return position + 1;
    if (byte === BACKSLASH) return -1;
  }
  return -1;
}
