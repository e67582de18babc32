import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

const ANSWER_BOUND_MS = 90_000;

/** A complete HTTP response. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. */
  json(): unknown;
}

/** A request of a test. */
export interface HttpQuestion {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Absent: a separate connection. */
  readonly agent?: Agent;
}

/** Sends a request and reads the whole response. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, agent }: HttpQuestion = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers, agent: agent ?? false, signal: AbortSignal.timeout(ANSWER_BOUND_MS) };
    const outgoing = request(url, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.once('error', reject).once('end', () => {
        const { statusCode = 0, headers: received } = incoming;
        resolve({ status: statusCode, headers: received, text, json: () => JSON.parse(text) });
      });
    });
    outgoing.once('error', reject).end(body);
  });
}
