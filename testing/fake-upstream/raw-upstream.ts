import { createServer, type Socket } from 'node:net';

/** A server that sends raw bytes. */
export interface RawUpstream extends AsyncDisposable {
  /** Base URL of its OpenAI routes. */
  readonly url: string;
  /** Chat requests so far. */
  readonly count: () => number;
}

/**
 * Starts a server on loopback: `answer` gets the connection and number of each chat request; health checks are answered with
 * `{}`.
 */
export async function startRawUpstream(
  answer: (socket: Socket, serial: number, request: string) => void,
): Promise<RawUpstream> {
  let serial = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
      const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
      const end = text.indexOf('\r\n\r\n');
      if (end === -1 || text.length < end + 4 + length) return;
      const request = text;
      text = '';
      if (request.startsWith('POST /v1/chat')) answer(socket, ++serial, request);
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    count: () => serial,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A raw answer; after some of them the server closes. */
interface WrittenAnswer {
  readonly bytes: string;
  readonly closes?: true;
}

/** Equivalent HTTP encodings of the same answer. */
export const httpForms: Readonly<Record<string, (type: string, body: string) => WrittenAnswer>> = {
  'a length': (type, body) => ({ bytes: withLength('HTTP/1.1', type, body) }),
  'interim answers': (type, body) => ({
    bytes: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${withLength('HTTP/1.1', type, body)}`,
  }),
  'the end of the connection': (type, body) => ({
    bytes: `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n\r\n${body}`,
    closes: true,
  }),
  'HTTP/1.0': (type, body) => ({ bytes: withLength('HTTP/1.0', type, body), closes: true }),
  'HTTP/1.0 without a length': (type, body) => ({
    bytes: `HTTP/1.0 200 OK\r\ncontent-type: ${type}\r\n\r\n${body}`,
    closes: true,
  }),
  'chunk extensions and trailers': (type, body) => ({
    bytes: `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)};a="b"\r\n${body}\r\n0;c\r\nx-sum: 1\r\n\r\n`,
  }),
};

function withLength(version: string, type: string, body: string): string {
  return `${version} 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
