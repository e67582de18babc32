import { createStringScanner, endByBytes } from './wasm/string-scanner.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;
const UNDERSCORE = 0x5f;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const scanner = createStringScanner();
/** Counts the buffers loaded into the scanner. */
let loads = 0;
const NUMBER_BYTES: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.eE'));
/** Integers up to this many digits are printed as they were read. */
const MAXIMUM_PLAIN_DIGITS = 15;
const MAXIMUM_NAMES = 64;
const MAXIMUM_DEPTH = 64;
/** Slightly below the bound for JSON: the parser would refuse more anyway. */
const MAXIMUM_WEIGHT = 249_000;
/** Upper bound of structural characters per value: a bracket, a comma, a colon. */
const VALUE_WEIGHT = 3;

/** The bytes are not what JSON.stringify would write, or exceed the bound. They may still be valid JSON. */
export class NotCanonical extends Error {
  override readonly name = 'NotCanonical';
}

// A single instance: capturing a stack trace each time would cost more than the walk.
const notCanonical = new NotCanonical('the bytes are not canonical JSON');

/**
 * Walks over JSON that is byte for byte what JSON.stringify would write for what JSON.parse reads, so that parts can be passed
 * on unchanged. Anything else throws `NotCanonical`: white space, other escapes, duplicate names, or names that JavaScript would
 * reorder. The bytes must be valid UTF-8. Strings are skipped sixteen bytes at a time: reading 40 KB costs a fraction of parsing
 * and printing them.
 */
export class CanonicalJson {
  readonly bytes: Buffer;
  /** The load with these bytes, to check that the scanner still has them. */
  #load = -1;
  /** Start and end of the names of all open objects. */
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

  /** Structural characters so far. */
  get weight(): number {
    return this.#weight;
  }

  /** Skips bytes known to be canonical. */
  pass(bytes: number): void {
    this.#at += bytes;
  }

  /** Gives up: the JSON is canonical but not of the wanted form. */
  refuse(): never {
    throw notCanonical;
  }

  /** Adds structural characters; bounded, to keep the walk short. */
  weigh(structuralCharacters: number): void {
    this.#weight += structuralCharacters;
    if (this.#weight > MAXIMUM_WEIGHT) throw notCanonical;
  }

  /** Skips this text if it comes next. */
  skip(text: string): boolean {
    if (!this.has(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Skips this text, which must come next. */
  take(text: string): void {
    if (!this.skip(text)) throw notCanonical;
  }

  /** Skips a string; returns its length in bytes. */
  string(): number {
    const from = this.#at + 1;
    if (this.bytes[from - 1] !== QUOTE) throw notCanonical;
    const end = this.#endOf(from);
    if (end < from) throw notCanonical;
    this.#at = end + 1;
    return end - from;
  }

  /** The position of the closing quote; negative if there is none, or the text is not as JSON.stringify writes it. */
  #endOf(from: number): number {
    const { bytes } = this;
    if (scanner === undefined) return endByBytes(bytes, from);
    // Another walk may have started since.
    if (this.#load !== loads) {
      scanner.load(bytes);
      this.#load = ++loads;
    }
    return scanner.endOf(from);
  }

  /** Skips a non-empty string. */
  filledString(): void {
    if (this.string() === 0) throw notCanonical;
  }

  object(): void {
    if (this.bytes[this.#at] !== OPEN_OBJECT) throw notCanonical;
    this.value();
  }

  value(depth = 0): void {
    this.weigh(VALUE_WEIGHT);
    if (depth > MAXIMUM_DEPTH) throw notCanonical;
    const first = this.bytes[this.#at];
    if (first === QUOTE) this.string();
    else if (first === OPEN_OBJECT) this.#object(depth);
    else if (first === OPEN_ARRAY) this.items(() => this.value(depth + 1));
    else if (!this.skip('true') && !this.skip('false') && !this.skip('null')) this.#canonicalNumber();
  }

  /** Skips a value that will be parsed rather than passed on, so its number may have any form. */
  parsedValue(): void {
    if (NUMBER_BYTES.has(this.bytes[this.#at] ?? 0)) this.#number();
    else this.value();
  }

  /** Whether this text is at a position. */
  has(text: string, at: number): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[at + index] !== text.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Skips an object; `readMember` gets the position of a name with its quotes, and skips the value. */
  members(readMember: (at: number) => void): void {
    this.take('{');
    if (this.skip('}')) return;
    do {
      this.weigh(VALUE_WEIGHT);
      const from = this.#at;
      this.string();
      for (let at = from; at < this.#at; at++) {
        // An escaped name may spell a known one.
        if (this.bytes[at] === BACKSLASH) throw notCanonical;
      }
      this.take(':');
      readMember(from);
    } while (this.#goesOn(CLOSE_OBJECT));
  }

  /** Skips an array; `readItem` skips an item. */
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

  // JavaScript moves numeric names first, treats `__proto__` specially, and keeps only one of two equal names.
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
