const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MAXIMUM_EVENT_BYTES = 1024 * 1024;
const FIELD = Buffer.from('data:');
const SPACE = 0x20;

/** Cuts a stream of server-sent events into the texts of their `data`. Bytes may be split anywhere. */
export class EventStreamParser {
  /** Pieces of a line whose end has not come yet. */
  #pieces: Buffer[] = [];
  #data: string[] = [];
  /** Bytes of the event so far. */
  #sizeBytes = 0;

  /** The events that ended within these bytes. Throws when one is too large. */
  feed(bytes: Buffer): string[] {
    const events: string[] = [];
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, from);
      const stop = end === -1 ? bytes.length : end;
      this.#sizeBytes += stop - from;
      if (this.#sizeBytes > MAXIMUM_EVENT_BYTES) throw new Error('an event is too large');
      if (end === -1) {
        // A copy: the bytes belong to a buffer that the next read fills again.
        if (from < bytes.length) this.#pieces.push(Buffer.from(bytes.subarray(from)));
        return events;
      }
      this.#takeLine(this.#wholeLine(bytes.subarray(from, end)), events);
      from = end + 1;
    }
  }

  /** The text of an event that the end of the stream left without its empty line; some servers forget it. */
  end(): string | undefined {
    const events: string[] = [];
    if (this.#pieces.length > 0) this.#takeLine(this.#wholeLine(Buffer.alloc(0)), events);
    return this.#data.length > 0 ? this.#data.join('\n') : events[0];
  }

  #wholeLine(end: Buffer): Buffer {
    if (this.#pieces.length === 0) return end;
    const line = Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    return line;
  }

  // Decoded by whole lines only, so that no split can fall into a character.
  #takeLine(line: Buffer, events: string[]): void {
    const length = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
    if (length === 0) {
      if (this.#data.length > 0) events.push(this.#data.join('\n'));
      this.#data = [];
      this.#sizeBytes = 0;
    } else if (startsWithData(line)) {
      const from = line[FIELD.length] === SPACE ? FIELD.length + 1 : FIELD.length;
      this.#data.push(line.toString('utf8', from, length));
    } else if (this.#data.length === 0) {
      // Comments and fields without meaning here keep nothing.
      this.#sizeBytes = 0;
    }
  }
}

function startsWithData(line: Buffer): boolean {
  return line.length >= FIELD.length && FIELD.every((byte, index) => line[index] === byte);
}
