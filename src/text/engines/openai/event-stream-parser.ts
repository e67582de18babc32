import { AnswerTooLarge } from '../../answer-too-large.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Larger events fail, unless the caller allows more. */
const MAXIMUM_EVENT_BYTES = 1024 * 1024;
const FIELD = Buffer.from('data:');
const SPACE = 0x20;

/** A line within a buffer, without its newline; avoids a slice per line. */
interface Line {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
}

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
      if (this.#pieces.length === 0) this.#takeLine({ bytes, from, end }, events);
      else this.#takeLine(this.#wholeLine(bytes.subarray(from, end)), events);
      from = end + 1;
    }
  }

  /** The data of a last event without its empty line, which some servers omit. */
  end(): string | undefined {
    const events: string[] = [];
    if (this.#pieces.length > 0) this.#takeLine(this.#wholeLine(Buffer.alloc(0)), events);
    return this.#data.length > 0 ? this.#data.join('\n') : events[0];
  }

  #wholeLine(rest: Buffer): Line {
    const bytes = Buffer.concat([...this.#pieces, rest]);
    this.#pieces = [];
    return { bytes, from: 0, end: bytes.length };
  }

  // Decodes whole lines only, so that no character is split.
  #takeLine({ bytes, from, end }: Line, events: string[]): void {
    const stop = end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (stop === from) {
      if (this.#data.length > 0) events.push(this.#data.join('\n'));
      this.#data = [];
      this.#sizeBytes = 0;
    } else if (startsWithField(bytes, from, stop)) {
      const start = from + FIELD.length;
      this.#data.push(
        bytes.toString('utf8', start < stop && bytes[start] === SPACE ? start + 1 : start, stop),
      );
    } else if (this.#data.length === 0) {
      // Comments and other fields are dropped, so they do not count.
      this.#sizeBytes = 0;
    }
  }
}

function startsWithField(bytes: Buffer, from: number, stop: number): boolean {
  if (stop - from < FIELD.length) return false;
  for (let index = 0; index < FIELD.length; index++) {
    if (bytes[from + index] !== FIELD[index]) return false;
  }
  return true;
}
