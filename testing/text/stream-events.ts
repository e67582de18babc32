/** One event of a stream. */
export interface StreamEvent {
  /** Of its `event:` line; absent where there is none. */
  readonly name?: string;
  readonly data: string;
}

/** The events of a stream whose body is whole; comments are left out. */
export function streamEvents(body: string): readonly StreamEvent[] {
  if (body !== '' && !body.endsWith('\n\n')) throw new Error(`an event is cut: ${body.slice(-100)}`);
  return body
    .split('\n\n')
    .filter((event) => event !== '' && !event.startsWith(':'))
    .map(parseEvent);
}

/** The JSON of every event that has some. */
export function streamData(body: string): readonly Readonly<Record<string, unknown>>[] {
  return streamEvents(body)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data));
}

function parseEvent(event: string): StreamEvent {
  const [, name, data = ''] = /^(?:event: (\w+)\n)?data: ([^\n]*)$/.exec(event) ?? [];
  return name === undefined ? { data } : { name, data };
}
