import { connect, type Socket } from 'node:net';

/** The bytes of one connection. */
export interface RawExchange {
  readonly socket: Socket;
  /** How the other side closed the connection. */
  readonly ended: Promise<'end' | 'reset'>;
  received(): Buffer;
  /** Resolves when the received bytes contain the text. */
  until(text: string): Promise<void>;
}

/** Sends one request over its own connection and shows the raw response. */
export function exchangeRaw(
  url: string,
  request: { readonly path: string; readonly body?: unknown },
): RawExchange {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  const received = (): Buffer => Buffer.concat(chunks);
  socket.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise<'end' | 'reset'>((resolve, reject) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', (error) =>
      'code' in error && error.code === 'ECONNRESET' ? resolve('reset') : reject(error),
    );
  });
  socket.write(requestBytes(request));
  const until = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (received().includes(text)) resolve();
      };
      look();
      socket.on('data', look);
      socket.once('close', () => reject(new Error(`ended without ${text}`)));
    });
  return { socket, ended, received, until };
}

function requestBytes({ path, body }: { readonly path: string; readonly body?: unknown }): Buffer {
  const payload = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${payload.length}`,
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), payload]);
}

/** A complete HTTP response, with a chunked body reassembled. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  /** Whether the body has its promised length, or its last chunk came. */
  readonly isWhole: boolean;
}

export function parseRaw(bytes: Buffer): RawResponse {
  const headEnd = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, headEnd).toString('latin1').toLowerCase();
  const rest = bytes.subarray(headEnd + 4);
  const status = Number(head.split(' ')[1]);
  if (head.includes('transfer-encoding: chunked')) return { status, head, ...joinChunks(rest) };
  const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? rest.length);
  return { status, head, body: rest, isWhole: rest.length === length };
}

function joinChunks(bytes: Buffer): { readonly body: Buffer; readonly isWhole: boolean } {
  const chunks: Buffer[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const lineEnd = bytes.indexOf('\r\n', offset);
    const length = Number.parseInt(bytes.subarray(offset, lineEnd).toString('latin1'), 16);
    if (length === 0) return { body: Buffer.concat(chunks), isWhole: true };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + length));
    offset = lineEnd + 2 + length + 2;
  }
  return { body: Buffer.concat(chunks), isWhole: false };
}
