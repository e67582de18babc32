import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface PassedRequest {
  readonly path: string;
  readonly body: string;
}

/** A loopback proxy that forwards piece by piece and records requests. */
export class RecordingProxy implements AsyncDisposable {
  /** Oldest first. */
  readonly requests: PassedRequest[] = [];
  readonly #server: Server;

  private constructor(target: string) {
    this.#server = createServer((request, response) => {
      this.#pass(target, request, response).catch(() => response.destroy());
    });
  }

  /** Starts on a free port in front of a server. */
  static async start(target: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(target);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  async #pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const headers = {
      authorization: request.headers.authorization ?? '',
      'content-type': 'application/json',
    };
    const body = await text(request);
    this.requests.push({ path, body });
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await fetch(target + path, {
      method,
      headers,
      signal: left.signal,
      ...(body === '' ? {} : { body }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
