/** An event of a stream. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** Reads server-sent events from the bytes of a body, however they are cut. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const parser = new EventParser();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Turns pieces of text into events; an event that was not ended by an empty line is never told. */
export class EventParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | undefined;

  push(text: string): readonly ServerEvent[] {
    const events: ServerEvent[] = [];
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.#readLine(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #readLine(line: string): ServerEvent | undefined {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
    return undefined;
  }

  #finish(): ServerEvent | undefined {
    const event = {
      event: this.#event || 'message',
      data: this.#data.join('\n'),
      ...(this.#id !== undefined && { id: this.#id }),
    };
    const hasData = this.#data.length > 0;
    this.#event = '';
    this.#data = [];
    return hasData ? event : undefined;
  }
}
