/** How much structure a JSON text has. */
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

/**
 * Measures nesting and the number of values of a JSON text while its chunks arrive, before anything is parsed.
 * Strings are skipped by a native search, so long texts cost next to nothing. Broken JSON gives some answer; the parser judges it.
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

  #readOutside(chunk: Buffer, from: number): number {
    for (let position = from; position < chunk.length; position++) {
      switch (chunk[position]) {
        case QUOTE:
          this.#inString = true;
          this.#escaped = false;
          return position + 1;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          this.#depth++;
          this.#values++;
          if (this.#depth > this.#deepest) this.#deepest = this.#depth;
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          this.#depth--;
          break;
        case COMMA:
        case COLON:
          this.#values++;
          break;
      }
    }
    return chunk.length;
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

  /** Whether the backslashes right before `end` are odd in number, those of the chunk before included. */
  #endsEscaped(chunk: Buffer, from: number, end: number): boolean {
    let first = end;
    while (first > from && chunk[first - 1] === BACKSLASH) first--;
    const odd = (end - first) % 2 === 1;
    return first === from && this.#escaped ? !odd : odd;
  }
}
