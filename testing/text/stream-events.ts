export interface StreamEvent {
  /** From its `event:` line; absent if there is none. */
  readonly name?: string;
  readonly data: string;
}

/** The events of a complete stream, without comments. */
export function streamEvents(body: string): readonly StreamEvent[] {
  if (body !== '' && !body.endsWith('\n\n')) throw new Error(`an event is cut: ${body.slice(-100)}`);
  return body
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map(parseEvent);
}

/** The parsed JSON of all events that have some. */
export function streamData(body: string): readonly Readonly<Record<string, unknown>>[] {
  return streamEvents(body)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data));
}

function parseEvent(event: string): StreamEvent {
  const [, name, data = ''] = /^(?:event: (\w+)\n)?data: ([^\n]*)$/.exec(event) ?? [];
  return name === undefined ? { data } : { name, data };
}
