import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

/** A client that sends arbitrary bytes. Disposing cuts its connection. */
export class RawClient implements Disposable {
  readonly #socket: Socket;
  #received = '';
  #closed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (text: string) => {
      this.#received += text;
    });
    // Cut connections are part of the tests.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
    });
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Sends, and resolves when the system has the bytes. */
  sent(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, () => resolve()));
  }

  /** Waits until the received bytes match the pattern. */
  async receives(pattern: RegExp): Promise<string> {
    return eventually(`an answer like ${pattern}`, () =>
      pattern.test(this.#received) ? this.#received : undefined,
    );
  }

  /** Waits until the connection is closed; returns all received bytes. */
  async closed(): Promise<string> {
    return eventually('the connection is closed', () => (this.#closed ? this.#received : undefined));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

/** The head of a JSON request with a body of the given length. */
export function jsonHead(
  path: string,
  { key, length }: { readonly key: string; readonly length: number },
): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: gateway',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');
}
