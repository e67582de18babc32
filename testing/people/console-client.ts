import { type Call, requestBytes } from '../http-call.ts';
import type { HttpGateway } from '../http-gateway.ts';
import type { RawAnswer } from '../raw-client.ts';
import { PASSWORD } from './log-in-world.ts';

/** The header of requests that a page of the console sends. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** A browser at the console: sends its cookies, and `Sec-Fetch-Site` as its pages do. */
export class ConsoleClient {
  readonly #gateway: HttpGateway;
  /** As the browser would send it. */
  cookie: string | undefined;

  constructor(gateway: HttpGateway) {
    this.#gateway = gateway;
  }

  /** A browser in which a person has logged in. */
  static async of(gateway: HttpGateway, name: string): Promise<ConsoleClient> {
    const client = new ConsoleClient(gateway);
    const answer = await client.send('POST', '/session', { name, password: PASSWORD });
    if (answer.status !== 200) throw new Error(`the log-in was answered ${answer.status}: ${answer.body}`);
    return client;
  }

  /** A browser in which a key was pasted. */
  static async withKey(gateway: HttpGateway, key: string): Promise<ConsoleClient> {
    const client = new ConsoleClient(gateway);
    await client.send('POST', '/session', { api_key: key });
    return client;
  }

  /** Sends a request to the API of the console. */
  send(method: string, path: string, body?: unknown): Promise<RawAnswer> {
    return this.call({
      method,
      path: `/console/api${path}`,
      headers: { ...SAME_ORIGIN, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request as it is, with the cookies; keeps the cookie of the answer. */
  async call(request: Call): Promise<RawAnswer> {
    await using client = await this.#gateway.connect();
    const cookie = this.cookie === undefined ? {} : { cookie: this.cookie };
    await client.send(requestBytes({ ...request, headers: { ...cookie, ...request.headers } }));
    const answer = await client.answer({ bodyless: request.method === 'HEAD' });
    const set = answer.headers['set-cookie']?.split(';', 1)[0];
    if (set !== undefined) this.cookie = set.endsWith('=') ? undefined : set;
    return answer;
  }
}
