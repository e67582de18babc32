const CALL_MS = 120_000;
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;
const SHOWN_CHARACTERS = 200;

/** A gateway as a client sees it. */
export interface ClientTarget {
  /** Without a path and trailing slash. */
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
}

/** One server-sent event, unparsed. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: string;
}

/** Requests JSON; with a body, by POST. Throws what would break a client. */
export async function askForJson(target: ClientTarget, path: string, body?: object): Promise<unknown> {
  const { text } = await ask(target, path, body);
  return parseJson(text);
}

/** Requests a stream and reads all of it. */
export async function askForEvents(
  target: ClientTarget,
  path: string,
  body: object,
): Promise<readonly StreamEvent[]> {
  const { text, contentType } = await ask(target, path, body);
  if (!contentType.startsWith('text/event-stream'))
    throw new Error(`the content type is "${contentType}" and not text/event-stream`);
  return text.split(/\r?\n\r?\n/).flatMap(readEvent);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`this is no JSON: ${shorten(text)}`);
  }
}

interface Answer {
  readonly text: string;
  readonly contentType: string;
}

async function ask({ url, key, signal }: ClientTarget, path: string, body?: object): Promise<Answer> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const request = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
  const response = await reach(`${url}${path}`, { ...request, signal: bounded });
  const text = await readText(response);
  if (!response.ok) throw new Error(`the answer is ${response.status}: ${shorten(text)}`);
  return { text, contentType: response.headers.get('content-type') ?? '' };
}

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${address} does not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_ANSWER_CHARACTERS) throw new Error('the answer has no end');
  }
  return text + decoder.decode();
}

/** Comments keep a stream alive and are ignored. */
function readEvent(block: string): readonly StreamEvent[] {
  const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const valuesOf = (wanted: string) => fields.flatMap(([, name, value]) => (name === wanted ? [value] : []));
  const data = valuesOf('data');
  return data.length === 0 ? [] : [{ name: valuesOf('event')[0], data: data.join('\n') }];
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
