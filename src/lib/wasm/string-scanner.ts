import { stringScannerModule } from './modules.ts';
import { newPagedMemory, PAGE_BYTES, wasmFunction } from './wasm-instance.ts';

/** Reads JSON strings sixteen bytes at a time, which JavaScript itself cannot. */
export interface StringScanner {
  /** Takes the JSON whose strings are looked at from now on, in place of the one before. */
  load(bytes: Uint8Array): void;
  /**
   * Where the string ends whose text begins here: the position of its closing quote. Negative where there is none, or before
   * it a control character or an escape that JSON.stringify would not write. Quickest where each is behind the one before.
   */
  endOf(from: number): number;
}

const VECTOR_BYTES = 16;
/** In memory, a table of the bytes that may follow a backslash comes first, then a window of the JSON, then what a vector may reach beyond it. */
const TABLE_BYTES = 256;
/** How much of a JSON is looked at before the next part is loaded: the cache of a processor holds it. */
const WINDOW_BYTES = 4 * PAGE_BYTES - TABLE_BYTES - VECTOR_BYTES;
const LAST_CONTROL = 0x1f;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The escapes of one letter, which are those that JSON.stringify writes. */
const ESCAPED_LETTERS: ReadonlySet<number> = new Set(Buffer.from('bfnrt"\\'));

/** The same as `endOf`, byte by byte: for where there is no scanner. */
export function endByBytes(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte <= LAST_CONTROL) return -1;
    if (byte === BACKSLASH && !ESCAPED_LETTERS.has(bytes[++at] ?? 0)) return -1;
  }
  return -1;
}

/** `undefined` where the processor has no vector instructions that WebAssembly knows. */
export function createStringScanner(windowBytes = WINDOW_BYTES): StringScanner | undefined {
  const memory = newPagedMemory(TABLE_BYTES + windowBytes + VECTOR_BYTES);
  const endOf = wasmFunction(stringScannerModule, 'endOf', memory);
  if (endOf === undefined) return undefined;
  return new WindowedScanner(new Uint8Array(memory.buffer), endOf, windowBytes);
}

const NOTHING = new Uint8Array(0);

class WindowedScanner implements StringScanner {
  readonly #memory: Uint8Array;
  readonly #endOf: (from: number, limit: number) => number;
  readonly #windowBytes: number;
  #json: Uint8Array = NOTHING;
  /** The part of the JSON that is in memory. */
  #begin = 0;
  #end = 0;

  constructor(memory: Uint8Array, endOf: (from: number, limit: number) => number, windowBytes: number) {
    this.#memory = memory;
    this.#endOf = endOf;
    this.#windowBytes = windowBytes;
    for (const letter of ESCAPED_LETTERS) memory[letter] = 1;
  }

  load(json: Uint8Array): void {
    this.#json = json;
    this.#loadFrom(0);
  }

  endOf(from: number): number {
    let at = from;
    while (at < this.#json.length) {
      if (at < this.#begin || at >= this.#end) this.#loadFrom(at);
      const moved = TABLE_BYTES - this.#begin;
      const found = this.#endOf(at + moved, this.#end + moved);
      if (found > 0) return found - moved;
      if (found === 0) return -1;
      // The window is over, the string is not.
      at = -found - moved;
    }
    return -1;
  }

  /** Bytes that a vector may read beyond the window are JSON too; beyond its end, they are no part of a string. */
  #loadFrom(begin: number): void {
    const json = this.#json;
    const end = Math.min(begin + this.#windowBytes, json.length);
    const reach = Math.min(end + VECTOR_BYTES, json.length);
    const isWhole = begin === 0 && reach === json.length;
    this.#memory.set(isWhole ? json : json.subarray(begin, reach), TABLE_BYTES);
    const filled = TABLE_BYTES + reach - begin;
    this.#memory.fill(0, filled, TABLE_BYTES + end - begin + VECTOR_BYTES);
    this.#begin = begin;
    this.#end = end;
  }
}
