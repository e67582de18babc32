import { Buffer } from 'node:buffer';
import { GarbledResponse, parseResponseHead, type ResponseHead } from './response-head.ts';

/** Who hears of a response while its bytes arrive. */
export interface ResponseSink {
  onHead(head: ResponseHead): void;
  /** A piece of the body; the bytes are good only during the call. */
  onBytes(bytes: Buffer): void;
}

type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'last-line' | 'over';

const NOTHING = Buffer.alloc(0);
const MAXIMUM_HEAD_BYTES = 16 * 1024;
const MAXIMUM_LINE_BYTES = 32;
const LINE_END_BYTES = 2;
const MAXIMUM_SIZE_DIGITS = 7;
const CHUNK_SIZE = /^[0-9a-fA-F]{1,7}$/;

/** Takes one HTTP/1.1 response apart. Strict: chunk extensions, trailers and unclear framing are errors. */
export class ResponseParser {
  #sink: ResponseSink;
  #state: State = 'head';
  /** Bytes of the body, or of the chunk, that are still to come. */
  #missing = 0;
  /** The beginning of a line whose end has not come yet. */
  #partial = NOTHING;
  #head: ResponseHead | undefined;
  /** The text of that head: a server that repeats it is not read again. */
  #headText = '';
  /** The body within the bytes that are being read, chunk by chunk. */
  #pieces: Buffer[] = [];

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Begins with the next response on the same connection. */
  restart(sink: ResponseSink): void {
    this.#sink = sink;
    this.#state = 'head';
    this.#missing = 0;
    this.#partial = NOTHING;
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  get keepsAlive(): boolean {
    return this.#head?.keepsAlive ?? false;
  }

  /** Reads on, and gives the number of bytes that came after the end of the response. */
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

  /** All chunks of one read are given at once: the way from here to an event is longer than a copy. */
  #giveBody(): void {
    const pieces = this.#pieces;
    const [first] = pieces;
    if (first === undefined) return;
    this.#pieces = [];
    this.#sink.onBytes(pieces.length === 1 ? first : Buffer.concat(pieces));
  }

  /** The usual framing, whole within the input, is read byte by byte; as text it was 7 % of a stream's CPU in a profile. */
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

  /** The position after the line, or nothing when its end has not come yet. */
  #readLine(input: Buffer, from: number): number | undefined {
    const isHead = this.#state === 'head';
    const mark = isHead ? '\r\n\r\n' : '\r\n';
    const maximum = isHead ? MAXIMUM_HEAD_BYTES : MAXIMUM_LINE_BYTES;
    const end = input.indexOf(mark, from, 'latin1');
    if ((end === -1 ? input.length : end) - from > maximum) throw new GarbledResponse('a line is too long');
    if (end === -1) {
      // A copy: the bytes belong to a buffer that the next read fills again.
      this.#partial = Buffer.from(input.subarray(from));
      return undefined;
    }
    if (isHead) this.#takeHead(input.toString('latin1', from, end + 2));
    else this.#takeLine(input.toString('latin1', from, end));
    return end + mark.length;
  }

  #takeHead(text: string): void {
    if (this.#head === undefined || text !== this.#headText) {
      this.#head = parseResponseHead(text);
      this.#headText = text;
    }
    const head = this.#head;
    if (head.framing === 'chunked') this.#state = 'chunk-size';
    else this.#state = head.framing === 0 ? 'over' : 'length';
    this.#missing = head.framing === 'chunked' ? 0 : head.framing;
    this.#sink.onHead(head);
  }

  #takeLine(line: string): void {
    if (this.#state === 'chunk-size') {
      if (!CHUNK_SIZE.test(line)) throw new GarbledResponse('a chunk size is no number');
      this.#missing = Number.parseInt(line, 16);
      this.#state = this.#missing === 0 ? 'last-line' : 'chunk';
      return;
    }
    if (line !== '') throw new GarbledResponse('a chunk does not end where it said, or trailers follow');
    this.#state = this.#state === 'last-line' ? 'over' : 'chunk-size';
  }
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
