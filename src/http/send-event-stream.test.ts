import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { chatFamily } from '../families/chat-family.ts';
import { Fault } from '../faults/fault.ts';
import type { EventStream } from './event-stream.ts';
import { Exchange } from './exchange.ts';
import { type StreamTimes, sendEventStream } from './send-event-stream.ts';

const patient: StreamTimes = { firstPingMs: 60_000, nextPingMs: 60_000, beginMs: 60_000, stalledMs: 60_000 };
const late = new Fault('engine-failed', 'The model server broke off.');
let server: http.Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Sent {
  readonly thrown: Promise<unknown>;
  readonly failed: Promise<unknown>;
  readonly exchange: Exchange;
}

/** Serves one stream; the returned request is its client's. */
async function serve(pieces: AsyncIterable<string>, times = patient, begin?: EventStream['begin']) {
  const stream: EventStream = {
    pieces,
    begin,
    ping: () => ': ping\n\n',
    fail: (fault) => `error: ${fault.code}\n\n`,
  };
  let tell: (sent: Sent) => void = () => {};
  const sent = new Promise<Sent>((resolve) => {
    tell = resolve;
  });
  server = http.createServer((request, response) => {
    const exchange = new Exchange({ id: 'req_1', startedMs: 0 }, chatFamily, request, response);
    const failed = sendEventStream(exchange, stream, times);
    const thrown = failed.then(
      () => undefined,
      (error: unknown) => {
        exchange.fail(error);
        return error;
      },
    );
    tell({ thrown, failed, exchange });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  const answered = new Promise<http.IncomingMessage>((resolve) => client.once('response', resolve));
  return { client, answered, sent };
}

async function textOf(message: http.IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message) text += String(chunk);
  return text;
}

test('pieces are sent as they come, with the headers of a stream', async () => {
  const { answered } = await serve(
    (async function* () {
      yield '';
      yield 'data: 1\n\n';
      yield 'data: 2\n\ndata: 3\n\n';
    })(),
  );
  const answer = await answered;
  expect(answer.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    'x-request-id': 'req_1',
    'request-id': 'req_1',
  });
  expect(await textOf(answer)).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n');
});

test('a failure before the first piece is an HTTP error', async () => {
  const { answered } = await serve(
    (async function* () {
      yield '';
      throw late;
    })(),
  );
  const answer = await answered;
  expect(answer.statusCode).toBe(502);
  expect(JSON.parse(await textOf(answer))).toMatchObject({ error: { type: 'upstream_error' } });
});

test('a failure after it ends the stream with the format’s own error, and is told', async () => {
  const { answered, sent } = await serve(
    (async function* () {
      yield 'data: 1\n\n';
      throw late;
    })(),
  );
  const answer = await answered;
  expect(answer.statusCode).toBe(200);
  expect(await textOf(answer)).toBe('data: 1\n\nerror: engine-failed\n\n');
  expect(await (await sent).failed).toBe(late);
});

test.each([
  ['a failure', late, 200, 'begin\n\nerror: engine-failed\n\n'],
  ['a refusal', new Fault('invalid-request', 'The schema cannot be followed.'), 400, undefined],
])('%s before the first piece of a stream that must begin with something', async (_, fault, status, text) => {
  const failing = (async function* () {
    yield '';
    throw fault;
  })();
  const answer = await (await serve(failing, patient, async () => 'begin\n\n')).answered;
  expect(answer.statusCode).toBe(status);
  if (text !== undefined) expect(await textOf(answer)).toBe(text);
});

test('silence is broken by pings, which open the stream', async () => {
  let speak: () => void = () => {};
  const spoken = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const { answered } = await serve(
    (async function* () {
      await spoken;
      yield 'data: 1\n\n';
    })(),
    { ...patient, firstPingMs: 1, nextPingMs: 1 },
  );
  const answer = await answered;
  const [first] = await once(answer, 'data');
  expect(String(first)).toContain(': ping\n\n');
  speak();
  expect(await textOf(answer)).toContain('data: 1\n\n');
});

test('a client that leaves ends the pulling, and the maker is told to stop', async () => {
  let stopped: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const { client, answered, sent } = await serve(
    (async function* () {
      try {
        for (let index = 0; ; index++) {
          yield `data: ${index}\n\n`;
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        stopped();
      }
    })(),
  );
  await answered;
  const { exchange } = await sent;
  const aborted = once(exchange.signal, 'abort');
  client.destroy();
  await Promise.all([ended, aborted]);
});

test('a reader that takes nothing is not pulled for, and is given up in the end', async () => {
  let pulled = 0;
  const piece = 'x'.repeat(1024 * 1024);
  const { client, answered, sent } = await serve(
    (async function* () {
      for (; pulled < 1000; pulled++) yield piece;
    })(),
    { ...patient, stalledMs: 50 },
  );
  client.once('error', () => {});
  (await answered).once('error', () => {}).pause();
  const { thrown, exchange } = await sent;
  expect(await thrown).toBeUndefined();
  expect(exchange.response.destroyed).toBe(true);
  expect(pulled).toBeLessThan(100);
});
