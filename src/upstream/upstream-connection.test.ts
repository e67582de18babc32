import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeasedBytes } from '../lib/leased-bytes.ts';
import { parseUpstreamAddress } from './upstream-address.ts';
import { UpstreamCall } from './upstream-call.ts';
import { createReadBuffer, UpstreamConnection } from './upstream-connection.ts';

/** More than the system buffers of what is not read. */
const MUCH_BYTES = 32 * 1024 * 1024;
const request = { method: 'POST', path: '/', body: undefined, timeoutMs: 60_000 } as const;
const ignored = { onHead: () => {}, onBytes: () => {}, onEnd: () => {}, onFailure: () => {} };

let server: Server;
let accepted: Promise<Socket>;

beforeEach(async () => {
  server = createServer({ pauseOnConnect: true });
  accepted = new Promise((resolve) => server.once('connection', resolve));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});

afterEach(async () => {
  (await accepted).destroy();
  await new Promise((closed) => server.close(closed));
});

/** Sends bytes that only the socket holds from then on. */
function send(bytes: Buffer): UpstreamCall {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const owner = {
    limits: { connectMs: 60_000, silenceMs: 60_000, idleConnectionMs: 60_000 },
    nowMs: () => 0,
    onFree: () => {},
    onClosed: () => {},
  };
  const target = {
    address: parseUpstreamAddress(`http://127.0.0.1:${address.port}/v1`),
    certificates: undefined,
  };
  const call = new UpstreamCall(request, ignored, 60_000);
  const lease = new LeasedBytes(bytes);
  using _request = lease.hold();
  new UpstreamConnection(owner, target, createReadBuffer()).start(
    call,
    'POST / HTTP/1.1\r\n\r\n',
    [bytes],
    lease,
  );
  return call;
}

async function untilFreed(bytes: Buffer): Promise<void> {
  while (bytes.length > 0) await nextTurn();
}

describe('bytes that would be freed with their request', () => {
  it('are held until they are sent', async () => {
    const bytes = Buffer.alloc(MUCH_BYTES, 'x');
    send(bytes);
    const socket = await accepted;
    await nextTurn();
    expect(bytes).toHaveLength(MUCH_BYTES);
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    socket.resume();
    await untilFreed(bytes);
    while (received < MUCH_BYTES) await nextTurn();
  });

  it('are held until the connection is given up', async () => {
    const bytes = Buffer.alloc(MUCH_BYTES, 'x');
    const call = send(bytes);
    await accepted;
    await nextTurn();
    expect(bytes).toHaveLength(MUCH_BYTES);
    call.abort();
    await untilFreed(bytes);
  });
});
