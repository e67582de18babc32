import { AnswerTooLarge } from '../../answer-too-large.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Larger events fail, unless the caller allows more. */
const MAXIMUM_EVENT_BYTES = 1024 * 1024;
const FIELD = Buffer.from('data:');
const SPACE = 0x20;

/** Splits a stream of server-sent events into their `data`. Bytes may be split anywhere. */
export class EventStreamParser {
  /** Pieces of an incomplete line. */
  #pieces: Buffer[] = [];
  #data: string[] = [];
  /** Bytes of the event so far. */
  #sizeBytes = 0;
  readonly #mostBytes: number;

  constructor(mostBytes = 0) {
    this.#mostBytes = Math.max(MAXIMUM_EVENT_BYTES, mostBytes);
  }

  /** Whether the bytes so far end between two events. */
  get isBetweenEvents(): boolean {
    return this.#pieces.length === 0 && this.#data.length === 0 && this.#sizeBytes === 0;
  }

  /** The events that end within these bytes. Throws if one is too large. */
  feed(bytes: Buffer): string[] {
    const events: string[] = [];
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from);
      const stop = end === -1 ? bytes.length : end;
      this.#sizeBytes += stop - from;
      if (this.#sizeBytes > this.#mostBytes) throw new AnswerTooLarge('an event is too large');
      if (end === -1) {
        // Copied, since the next read reuses the buffer.
        if (from < bytes.length) this.#pieces.push(Buffer.from(bytes.subarray(from)));
        return events;
      }
      this.#takeLine(this.#wholeLine(bytes.subarray(from, end)), events);
      from = end + 1;
    }
  }

  /** The data of a last event without its empty line, which some servers omit. */
  end(): string | undefined {
    const events: string[] = [];
    if (this.#pieces.length > 0) this.#takeLine(this.#wholeLine(Buffer.alloc(0)), events);
    return this.#data.length > 0 ? this.#data.join('\n') : events[0];
  }

  #wholeLine(rest: Buffer): Buffer {
    if (this.#pieces.length === 0) return rest;
    const line = Buffer.concat([...this.#pieces, rest]);
    this.#pieces = [];
    return line;
  }

  // Decodes whole lines only, so that no character is split.
  #takeLine(line: Buffer, events: string[]): void {
    const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (end === 0) {
      if (this.#data.length > 0) events.push(this.#data.join('\n'));
      this.#data = [];
      this.#sizeBytes = 0;
    } else if (line.subarray(0, FIELD.length).equals(FIELD)) {
      const start = line[FIELD.length] === SPACE ? FIELD.length + 1 : FIELD.length;
      this.#data.push(line.toString('utf8', start, end));
    } else if (this.#data.length === 0) {
      // Comments and other fields are dropped, so they do not count.
      this.#sizeBytes = 0;
    }
  }
}
