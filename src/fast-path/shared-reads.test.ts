import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { withSharedReads } from './shared-reads.ts';

let server: Server | undefined;
afterEach(() => server?.close());

interface Accepted {
  readonly socket: Socket;
  readonly told: { readonly buffer: ArrayBufferLike; readonly text: string }[];
}

/** A server whose connections read into the shared buffer, and the bytes each received. */
async function listening(nodeVersion?: string): Promise<{ port: number; accepted: Accepted[] }> {
  const accepted: Accepted[] = [];
  server = createServer((plain) => {
    const told: Accepted['told'] = [];
    const tell = (bytes: Buffer) => told.push({ buffer: bytes.buffer, text: bytes.toString() });
    const socket = withSharedReads(plain, tell, nodeVersion);
    accepted.push({ socket, told });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, accepted };
}

function textOf(connection: Accepted | undefined): string {
  return connection?.told.map(({ text }) => text).join('') ?? '';
}

describe('connections that read into a shared buffer', () => {
  it('each receive their own bytes, all from the same buffer', async () => {
    const { port, accepted } = await listening();
    const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const [index, client] of clients.entries()) client.write(`client ${index}`);
    await expect.poll(() => accepted.map(textOf).toSorted()).toEqual(['client 0', 'client 1']);
    expect(new Set(accepted.flatMap(({ told }) => told.map(({ buffer }) => buffer))).size).toBe(1);
    for (const client of clients) client.destroy();
  });

  it('can write, know the remote address and emit `close`', async () => {
    const { port, accepted } = await listening();
    const client = connect(port, '127.0.0.1');
    await once(client, 'connect');
    await expect.poll(() => accepted.length).toBe(1);
    const socket = accepted[0]?.socket;
    socket?.write('hello');
    expect(String(await once(client, 'data'))).toBe('hello');
    expect(socket?.remoteAddress).toBe('127.0.0.1');
    client.end();
    await once(socket ?? client, 'close');
  });

  it('read nothing while they are paused', async () => {
    const { port, accepted } = await listening();
    const client = connect(port, '127.0.0.1');
    await expect.poll(() => accepted.length).toBe(1);
    accepted[0]?.socket.pause();
    client.write('x'.repeat(300_000));
    // More than the system buffers hold: it can only be sent if the socket is read.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(textOf(accepted[0])).toBe('');
    accepted[0]?.socket.resume();
    await expect.poll(() => textOf(accepted[0]).length).toBe(300_000);
    client.destroy();
  });

  it('are counted by their server once, until they are closed', async () => {
    const { port, accepted } = await listening();
    const client = connect(port, '127.0.0.1');
    await expect.poll(() => accepted.length).toBe(1);
    expect(await connectionsOf(server)).toBe(1);
    const closed = new Promise((resolve) => server?.close(resolve));
    client.destroy();
    await closed;
    expect(await connectionsOf(server)).toBe(0);
  });
});

it.each(['18.20.0', '22.1.0', '200.0.0'])(
  'with Node %s, connections read as Node has them read',
  async (version) => {
    const { port, accepted } = await listening(version);
    const clients = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    for (const client of clients) client.write('hello');
    await expect.poll(() => accepted.map(textOf)).toEqual(['hello', 'hello']);
    const memory = new Set(accepted.flatMap(({ told }) => told.map(({ buffer }) => buffer)));
    expect(memory.size).toBe(2);
    for (const client of clients) client.destroy();
  },
);

it('a socket with other internals emits its bytes as usual', () => {
  const socket = new Socket();
  const told: string[] = [];
  expect(withSharedReads(socket, (bytes) => told.push(bytes.toString()))).toBe(socket);
  socket.emit('data', Buffer.from('some bytes'));
  expect(told).toEqual(['some bytes']);
});

function connectionsOf(counted: Server | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    counted?.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
