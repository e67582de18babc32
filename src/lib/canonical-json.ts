import { createStringScanner, endByBytes } from './wasm/string-scanner.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const UNDERSCORE = 0x5f;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const scanner = createStringScanner();
/** How often the scanner has been given another JSON. */
let loads = 0;
const NUMBER_BYTES: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.eE'));
/** Integers of so many digits are written as they were read. */
const MAXIMUM_PLAIN_DIGITS = 15;
const MAXIMUM_NAMES = 64;
const MAXIMUM_DEPTH = 64;
/** A little less than JSON may have in all: what is parsed would be refused for more. */
const MAXIMUM_WEIGHT = 249_000;
/** Structural characters that a value has at most to itself: a bracket, a comma, a colon. */
const VALUE_WEIGHT = 3;

/** The bytes are not what JSON.stringify would write, or more than is walked through. They may still be JSON. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

// Made once: a stack for each would cost more than the walk.
const notCanonical = new NotCanonical('the bytes are not canonical JSON');

/**
 * Walks over JSON that is byte by byte what JSON.stringify would write for what JSON.parse reads in it, so that parts can be
 * passed on as they came. Anything else throws `NotCanonical`: spaces, other escapes, names that repeat or that JavaScript
 * would put in another order. The bytes must be valid UTF-8. Strings are skipped sixteen bytes at a time: reading 40 KB costs
 * a fraction of parsing and writing them.
 */
export class CanonicalJson {
  readonly bytes: Buffer;
  /** Whether the scanner has these bytes: the number of the load that gave them. */
  #load = -1;
  /** Begin and end of the names of every object that is open. */
  readonly #names: number[] = [];
  #at = 0;
  #weight = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The position of the next byte. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }

  /** The structural characters walked over so far. */
  get weight(): number {
    return this.#weight;
  }

  /** Moves past bytes that are known to be canonical. */
  pass(bytes: number): void {
    this.#at += bytes;
  }

  /** Gives up: what was found is canonical, but not what is wanted. */
  refuse(): never {
    throw notCanonical;
  }

  /** Adds to what has been walked over; there is a bound, for the walk must be short. */
  weigh(structuralCharacters: number): void {
    this.#weight += structuralCharacters;
    if (this.#weight > MAXIMUM_WEIGHT) throw notCanonical;
  }

  /** Moves past exactly this text, if it comes next. */
  skip(text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[this.#at + index] !== text.charCodeAt(index)) return false;
    }
    this.#at += text.length;
    return true;
  }

  /** Moves past exactly this text. */
  take(text: string): void {
    if (!this.skip(text)) throw notCanonical;
  }

  /** Moves past a string, and gives the length of its text in bytes. */
  string(): number {
    const from = this.#at + 1;
    if (this.bytes[from - 1] !== QUOTE) throw notCanonical;
    const end = this.#endOf(from);
    if (end < from) throw notCanonical;
    this.#at = end + 1;
    return end - from;
  }

  /** The position of the quote that ends a text; negative where there is none, or the text is not as JSON.stringify writes it. */
  #endOf(from: number): number {
    const { bytes } = this;
    if (scanner === undefined) return endByBytes(bytes, from);
    // Another walk may have begun since.
    if (this.#load !== loads) {
      scanner.load(bytes);
      this.#load = ++loads;
    }
    return scanner.endOf(from);
  }

  /** Moves past a string that is not empty. */
  filledString(): void {
    if (this.string() === 0) throw notCanonical;
  }

  /** Moves past an object. */
  object(): void {
    if (this.bytes[this.#at] !== OPEN_OBJECT) throw notCanonical;
    this.value();
  }

  /** Moves past any value. */
  value(depth = 0): void {
    this.weigh(VALUE_WEIGHT);
    if (depth > MAXIMUM_DEPTH) throw notCanonical;
    const first = this.bytes[this.#at];
    if (first === QUOTE) this.string();
    else if (first === OPEN_OBJECT) this.#object(depth);
    else if (first === OPEN_ARRAY) this.items(() => this.value(depth + 1));
    else if (!this.skip('true') && !this.skip('false') && !this.skip('null')) this.#canonicalNumber();
  }

  /** Moves past a value that is not passed on but parsed: its number may be written in any way. */
  parsedValue(): void {
    if (NUMBER_BYTES.has(this.bytes[this.#at] ?? 0)) this.#number();
    else this.value();
  }

  /** Moves past an object; `readMember` is told a name and where it begins, and moves past its value. */
  members(readMember: (name: string, at: number) => void): void {
    this.take('{');
    if (this.skip('}')) return;
    do {
      this.weigh(VALUE_WEIGHT);
      const from = this.#at;
      this.string();
      const name = this.bytes.toString('latin1', from + 1, this.#at - 1);
      // It may be a known name in disguise.
      if (name.includes('\\')) throw notCanonical;
      this.take(':');
      readMember(name, from);
    } while (this.#goesOn(CLOSE_OBJECT));
  }

  /** Moves past an array; `readItem` moves past an item. */
  items(readItem: (index: number) => void): void {
    this.take('[');
    if (this.skip(']')) return;
    let index = 0;
    do readItem(index++);
    while (this.#goesOn(CLOSE_ARRAY));
  }

  #object(depth: number): void {
    this.#at++;
    if (this.skip('}')) return;
    const names = this.#names;
    const firstName = names.length;
    do {
      const from = this.#at;
      this.string();
      this.#checkName(from, this.#at, firstName);
      names.push(from, this.#at);
      if (this.bytes[this.#at++] !== COLON) throw notCanonical;
      this.value(depth + 1);
    } while (this.#goesOn(CLOSE_OBJECT));
    names.length = firstName;
  }

  // JavaScript puts names of digits first, knows `__proto__`, and keeps only one of two equal names.
  #checkName(from: number, end: number, firstName: number): void {
    const { bytes } = this;
    const names = this.#names;
    const first = bytes[from + 1] ?? 0;
    if (isDigit(first) || (first === UNDERSCORE && bytes[from + 2] === UNDERSCORE)) throw notCanonical;
    if (names.length - firstName >= 2 * MAXIMUM_NAMES) throw notCanonical;
    for (let index = firstName; index < names.length; index += 2) {
      const other = names[index] ?? 0;
      const isAsLong = (names[index + 1] ?? 0) - other === end - from;
      if (isAsLong && areEqual(bytes, other, from, end - from)) throw notCanonical;
    }
  }

  #canonicalNumber(): void {
    const from = this.#at;
    this.#number();
    const { bytes } = this;
    const digits = this.#at - from;
    const first = bytes[from] ?? 0;
    if (digits === 1 && isDigit(first)) return;
    if (digits <= MAXIMUM_PLAIN_DIGITS && first !== ZERO && areDigits(bytes, from, this.#at)) return;
    const text = bytes.toString('latin1', from, this.#at);
    if (text === '' || String(Number(text)) !== text) throw notCanonical;
  }

  #number(): void {
    while (NUMBER_BYTES.has(this.bytes[this.#at] ?? 0)) this.#at++;
  }

  #goesOn(close: number): boolean {
    const byte = this.bytes[this.#at++];
    if (byte === COMMA) return true;
    if (byte === close) return false;
    throw notCanonical;
  }
}

function areEqual(bytes: Buffer, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (bytes[one + index] !== bytes[other + index]) return false;
  }
  return true;
}

function areDigits(bytes: Buffer, from: number, end: number): boolean {
  for (let index = from; index < end; index++) {
    if (!isDigit(bytes[index] ?? 0)) return false;
  }
  return end > from;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}
