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

// Of the language, but TypeScript declares it only for browsers.
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly endOf?: unknown } };
};

const PAGE_BYTES = 64 * 1024;
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
  const pages = Math.ceil((TABLE_BYTES + windowBytes + VECTOR_BYTES) / PAGE_BYTES);
  const code = Uint8Array.from(moduleBytes(pages));
  if (!WebAssembly.validate(code)) return undefined;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { host: { memory } });
  const endOf = exports.endOf as (from: number, limit: number) => number;
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

  /** What a vector may reach beyond the window is the JSON too, or, beyond its end, no part of any string. */
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

// The names of the WebAssembly specification.
const I32 = 0x7f;
const V128 = 0x7b;
const NO_RESULT = 0x40;
const BLOCK = 0x02;
const LOOP = 0x03;
const IF = 0x04;
const END = 0x0b;
const BR = 0x0c;
const BR_IF = 0x0d;
const RETURN = 0x0f;
const I32_EQZ = 0x45;
const I32_EQ = 0x46;
const I32_NE = 0x47;
const I32_GE_U = 0x4f;
const I32_CTZ = 0x68;
const I32_ADD = 0x6a;
const I32_SUB = 0x6b;
const I32_AND = 0x71;
const I32_XOR = 0x73;
const I32_SHL = 0x74;
const I32_LOAD8_U = [0x2d, 0, 0];
const V128_LOAD = [0xfd, 0x00, 0, 0];
const I8X16_SPLAT = [0xfd, 0x0f];
const I8X16_EQ = [0xfd, 0x23];
const I8X16_LE_U = [0xfd, 0x2a];
const V128_OR = [0xfd, 0x50];
const I8X16_BITMASK = [0xfd, 0x64];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const number = (value: number) => [0x41, ...signed(value)];
const splat = (byte: number) => [...number(byte), ...I8X16_SPLAT];

/**
 * A function of two parameters, where it looks and where the window ends, and four variables. It gives the place of the quote, 0
 * where there can be none, or below zero where it has to go on in the next window. Behind the window are sixteen bytes more
 * that may be looked at. Escapes within sixteen bytes are found in the bits of one comparison: looking again behind each of
 * them would take twice as long.
 */
function endOfCode(): readonly number[] {
  const [at, limit, found, place, byte, vector] = [0, 1, 2, 3, 4, 5] as const;
  const giveUp = [...number(0), RETURN];
  return [
    ...[LOOP, NO_RESULT],
    ...[...get(at), ...get(limit), I32_GE_U, IF, NO_RESULT],
    ...[...number(0), ...get(at), I32_SUB, RETURN, END],
    // One bit for each of sixteen bytes that is a quote, a backslash or a control character.
    ...[...get(at), ...V128_LOAD, ...tee(vector), ...splat(QUOTE), ...I8X16_EQ],
    ...[...get(vector), ...splat(BACKSLASH), ...I8X16_EQ, ...V128_OR],
    ...[...get(vector), ...splat(LAST_CONTROL), ...I8X16_LE_U, ...V128_OR],
    ...[...I8X16_BITMASK, ...set(found)],
    ...[BLOCK, NO_RESULT, LOOP, NO_RESULT],
    ...[...get(found), I32_EQZ, BR_IF, 1],
    ...[...get(at), ...get(found), I32_CTZ, I32_ADD, ...tee(place)],
    ...[...I32_LOAD8_U, ...tee(byte), ...number(QUOTE), I32_EQ],
    ...[IF, NO_RESULT, ...get(place), RETURN, END],
    ...[...get(byte), ...number(BACKSLASH), I32_NE, IF, NO_RESULT, ...giveUp, END],
    // An escape must be one of the table.
    ...[...get(place), ...number(1), I32_ADD, ...I32_LOAD8_U, ...I32_LOAD8_U],
    ...[I32_EQZ, IF, NO_RESULT, ...giveUp, END],
    // The next one, without the letter of this; a letter beyond the sixteen is stepped over.
    ...[...get(found), ...number(3), ...get(found), I32_CTZ, I32_SHL, ...number(-1), I32_XOR, I32_AND],
    ...set(found),
    ...[...get(place), ...get(at), I32_SUB, ...number(VECTOR_BYTES - 1), I32_EQ],
    ...[IF, NO_RESULT, ...get(at), ...number(1), I32_ADD, ...set(at), BR, 2, END],
    ...[BR, 0, END, END],
    ...[...get(at), ...number(VECTOR_BYTES), I32_ADD, ...set(at), BR, 0],
    ...[END, ...number(0), END],
  ];
}

/** A module with that one function and a memory that it is given. */
function moduleBytes(pages: number): readonly number[] {
  const variables = list([3, I32], [1, V128]);
  const code = [...variables, ...endOfCode()];
  return [
    ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
    ...section(1, list([0x60, ...list([I32], [I32]), ...list([I32])])),
    ...section(
      2,
      list([...name('host'), ...name('memory'), 0x02, 0x01, ...unsigned(pages), ...unsigned(pages)]),
    ),
    ...section(3, list([0])),
    ...section(7, list([...name('endOf'), 0x00, 0])),
    ...section(10, list([...unsigned(code.length), ...code])),
  ];
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...unsigned(content.length), ...content];
}

function list(...items: readonly (readonly number[])[]): readonly number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): readonly number[] {
  return [...unsigned(text.length), ...Buffer.from(text)];
}

/** Numbers are written seven bits at a time, the lowest first. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): readonly number[] {
  // The highest of the last seven bits is the sign.
  if (value < 0) return [value & 0x7f];
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
