import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { CollectorConnection } from './collector-connection.ts';

const never = new AbortController().signal;
const BODY = Buffer.from('spans');
let server: net.Server;
let connection: CollectorConnection;

/** Starts a collector; `answer` gets the number of the connection, and of the request on it. */
async function start(answer: (socket: net.Socket, connections: number, requests: number) => void) {
  let connections = 0;
  server = net.createServer((socket) => {
    const number = ++connections;
    let received = '';
    let requests = 0;
    socket.on('data', (bytes) => {
      received += bytes.toString();
      if (received.split('spans').length - 1 === requests) return;
      requests += 1;
      answer(socket, number, requests);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  connection = new CollectorConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

afterEach(async () => {
  connection.close();
  await new Promise((resolve) => server.close(resolve));
});

const taken = (socket: net.Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');

it('sends over one connection, and tells the status', async () => {
  const seen: number[] = [];
  await start((socket, connections, requests) => {
    seen.push(connections);
    if (requests < 3) taken(socket);
    else socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 4\r\n\r\nbusy');
  });
  expect(await connection.post('/v1/traces', [BODY], never)).toBe(200);
  expect(await connection.post('/v1/traces', [BODY], never)).toBe(200);
  expect(await connection.post('/v1/metrics', [BODY], never)).toBe(503);
  expect(seen).toEqual([1, 1, 1]);
});

it('sends again where the collector has closed the connection that was kept', async () => {
  const seen: string[] = [];
  await start((socket, connections, requests) => {
    seen.push(`${connections}.${requests}`);
    if (requests === 1) taken(socket);
    else socket.resetAndDestroy();
  });
  expect(await connection.post('/v1/traces', [BODY], never)).toBe(200);
  expect(await connection.post('/v1/traces', [BODY], never)).toBe(200);
  expect(seen).toEqual(['1.1', '1.2', '2.1']);
});

it('fails where a new connection is cut, and when its signal aborts', async () => {
  const leaving = new AbortController();
  await start((socket, connections) => {
    if (connections === 1) socket.resetAndDestroy();
    else leaving.abort(new Error('left'));
  });
  await expect(connection.post('/v1/traces', [BODY], never)).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(connection.post('/v1/traces', [BODY], leaving.signal)).rejects.toThrow();
});
