import { Buffer } from 'node:buffer';
import { areTrailers, GarbledResponse, parseResponseHead, type ResponseHead } from './response-head.ts';

/** Receives a response as its bytes arrive. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** A part of the body; the bytes are valid only during the call. */
  onBytes(bytes: Buffer): void;
}

type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers' | 'over';

const NOTHING = Buffer.alloc(0);
/** Limit for a head, a chunk size line, and all trailers. */
const MAXIMUM_LINE_BYTES = 16 * 1024;
const MAXIMUM_INTERIM_HEADS = 32;
const LINE_END_BYTES = 2;
/** Hex digits of a chunk size that fit an exact number. */
const MAXIMUM_SIZE_DIGITS = 13;
const BEGINNING = 'HTTP/1.';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"(?:[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
const CHUNK_SIZE = new RegExp(
  `^([0-9a-fA-F]{1,${MAXIMUM_SIZE_DIGITS}})(?:;${TOKEN}(?:=(?:${TOKEN}|${QUOTED})?)?)*$`,
);
const BEGUN_CHUNK_SIZE = new RegExp(`^[0-9a-fA-F]{0,${MAXIMUM_SIZE_DIGITS}}(?:$|[;\\r])`);
const BARE_BREAK = /(?<!\r)\n|\r(?!\n|$)/;

/**
 * Parses one HTTP/1 response and the interim ones before it. Strict where parsers are known to differ: lines end with CR LF and
 * are not folded, and there is one length.
 */
export class ResponseParser {
  #sink: ResponseSink;
  #state: State = 'head';
  /** Bytes missing of the body or chunk; infinite if the body ends with the connection. */
  #missing = 0;
  /** The start of an incomplete line. */
  #partial = NOTHING;
  #head: ResponseHead | undefined;
  /** The bytes of that head: the same ones are not parsed again. */
  #headBytes = NOTHING;
  #interimHeads = 0;
  #trailers = '';
  /** The body within the current input, chunk by chunk. */
  #pieces: Buffer[] = [];

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Prepares for the next response on the same connection. */
  restart(sink: ResponseSink): void {
    this.#sink = sink;
    this.#state = 'head';
    this.#missing = 0;
    this.#partial = NOTHING;
    this.#interimHeads = 0;
    this.#trailers = '';
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get keepsAlive(): boolean {
    return this.#head?.keepsAlive ?? false;
  }

  /** Parses more bytes; returns how many follow the end of the response. */
  feed(bytes: Buffer): number {
    const input = this.#partial.length === 0 ? bytes : Buffer.concat([this.#partial, bytes]);
    this.#partial = NOTHING;
    let position: number | undefined = 0;
    try {
      while (position !== undefined && position < input.length && this.#state !== 'over') {
        position = this.#isInBody() ? this.#readBody(input, position) : this.#readFraming(input, position);
      }
    } finally {
      this.#giveBody();
    }
    return position === undefined ? 0 : input.length - position;
  }

  /** The server closed its side, which ends some bodies. */
  finish(): void {
    if (this.#missing === Number.POSITIVE_INFINITY) this.#state = 'over';
  }

  /** Passes all chunks of one read at once: handling each separately costs more than a copy. */
  #giveBody(): void {
    const pieces = this.#pieces;
    const [first] = pieces;
    if (first === undefined) return;
    this.#pieces = [];
    this.#sink.onBytes(pieces.length === 1 ? first : Buffer.concat(pieces));
  }

  /** Fast path for the usual framing when it is complete; parsing it as text was 7 % of a stream's CPU in a profile. */
  #readFraming(input: Buffer, from: number): number | undefined {
    if (this.#state === 'chunk-end' && isLineEnd(input, from)) {
      this.#state = 'chunk-size';
      return from + LINE_END_BYTES;
    }
    if (this.#state === 'chunk-size') {
      const { size, end } = readHexadecimal(input, from);
      if (size > 0 && isLineEnd(input, end)) {
        this.#missing = size;
        this.#state = 'chunk';
        return end + LINE_END_BYTES;
      }
    }
    return this.#readLine(input, from);
  }

  #isInBody(): boolean {
    return this.#state === 'length' || this.#state === 'chunk';
  }

  #readBody(input: Buffer, from: number): number {
    const end = Math.min(input.length, from + this.#missing);
    this.#missing -= end - from;
    if (this.#missing === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'over';
    this.#pieces.push(input.subarray(from, end));
    return end;
  }

  /** The position after the line; undefined if it is incomplete. */
  #readLine(input: Buffer, from: number): number | undefined {
    const isHead = this.#state === 'head';
    if (isHead && this.#head !== undefined && this.#isSameHead(input, from)) {
      this.#takeHead(this.#head);
      return from + this.#headBytes.length;
    }
    const mark = isHead ? '\r\n\r\n' : '\r\n';
    const end = input.indexOf(mark, from, 'latin1');
    if ((end === -1 ? input.length : end) - from > MAXIMUM_LINE_BYTES)
      throw new GarbledResponse('a line is too long');
    if (end === -1) {
      // A copy: the next read reuses the buffer.
      this.#partial = Buffer.from(input.subarray(from));
      this.#refuseHopeless(this.#partial.toString('latin1'));
      return undefined;
    }
    if (isHead) this.#parseHead(input, from, end + mark.length);
    else this.#takeLine(input.toString('latin1', from, end));
    return end + mark.length;
  }

  /** Rejects a line that cannot become valid: its end may never come. */
  #refuseHopeless(begun: string): void {
    const isHopeful =
      this.#state === 'head'
        ? begun.startsWith(BEGINNING) || BEGINNING.startsWith(begun)
        : this.#state !== 'chunk-size' || BEGUN_CHUNK_SIZE.test(begun);
    if (!isHopeful || BARE_BREAK.test(begun))
      throw new GarbledResponse('a line does not begin or end as one');
    if (this.#state === 'chunk-end' && begun !== '\r') throw chunkTooLong();
  }

  /** Heads end at their first empty line, so one that begins with all of another is that one. */
  #isSameHead(input: Buffer, from: number): boolean {
    const bytes = this.#headBytes;
    const end = from + bytes.length;
    return end <= input.length && input.compare(bytes, 0, bytes.length, from, end) === 0;
  }

  #parseHead(input: Buffer, from: number, end: number): void {
    const head = parseResponseHead(input.toString('latin1', from, end - LINE_END_BYTES));
    this.#head = head;
    // A copy: the next read reuses the buffer.
    this.#headBytes = Buffer.from(input.subarray(from, end));
    this.#takeHead(head);
  }

  #takeHead(head: ResponseHead): void {
    if (head.status < 200) {
      this.#passInterim(head);
      return;
    }
    const { framing } = head;
    this.#missing = framing === 'close' ? Number.POSITIVE_INFINITY : framing === 'chunked' ? 0 : framing;
    if (framing === 'chunked') this.#state = 'chunk-size';
    else this.#state = framing === 0 ? 'over' : 'length';
    this.#sink.onHead(head);
  }

  /** Interim responses are skipped; the final one follows on the same connection. */
  #passInterim({ keepsAlive }: ResponseHead): void {
    this.#interimHeads += 1;
    if (!keepsAlive) throw new GarbledResponse('an interim response is said to be the last');
    if (this.#interimHeads > MAXIMUM_INTERIM_HEADS) throw new GarbledResponse('too many interim responses');
  }

  #takeLine(line: string): void {
    switch (this.#state) {
      case 'chunk-size': {
        const size = CHUNK_SIZE.exec(line)?.[1];
        if (size === undefined) throw new GarbledResponse('a chunk size is no number');
        this.#missing = Number.parseInt(size, 16);
        this.#state = this.#missing === 0 ? 'trailers' : 'chunk';
        return;
      }
      case 'trailers':
        if (line === '') this.#endTrailers();
        else this.#addTrailer(line);
        return;
      default:
        if (line !== '') throw chunkTooLong();
        this.#state = 'chunk-size';
    }
  }

  #addTrailer(line: string): void {
    this.#trailers += `${line}\r\n`;
    if (this.#trailers.length > MAXIMUM_LINE_BYTES) throw new GarbledResponse('the trailers are too long');
  }

  #endTrailers(): void {
    if (this.#trailers !== '' && !areTrailers(this.#trailers))
      throw new GarbledResponse('the trailers are no headers');
    this.#state = 'over';
  }
}

function chunkTooLong(): GarbledResponse {
  return new GarbledResponse('a chunk does not end where it said');
}

function isLineEnd(input: Buffer, at: number): boolean {
  return input[at] === 0x0d && input[at + 1] === 0x0a;
}

function readHexadecimal(input: Buffer, from: number): { readonly size: number; readonly end: number } {
  let size = 0;
  let end = from;
  for (; end - from < MAXIMUM_SIZE_DIGITS; end++) {
    const digit = digitOf(input[end] ?? 0);
    if (digit === -1) break;
    size = size * 16 + digit;
  }
  return { size, end };
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
