import { afterEach, describe, expect, it } from 'vitest';
import { headProblems } from '../../testing/answer-problems.ts';
import { expectSound, requestBytes } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, narrowKey } from '../../testing/http-gateway.ts';
import type { RawAnswer, RawClient } from '../../testing/raw-client.ts';
import { scriptedRoute } from '../../testing/scripted-route.ts';
import { jsonAnswer } from './answer.ts';
import type { KeyRequest, Route } from './route.ts';

let gateway: HttpGateway;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

async function start(options: Parameters<typeof HttpGateway.start>[0] = {}): Promise<RawClient> {
  const limits = { lingerMs: 200, ...options.limits };
  gateway = await HttpGateway.start({ ...options, limits });
  return await connect();
}

async function connect(): Promise<RawClient> {
  const client = await gateway.connect();
  clients.push(client);
  return client;
}

/** The answer to bytes that may be no request: with an id and a JSON body. */
async function bareAnswer(client: RawClient): Promise<RawAnswer> {
  const answer = await client.answer();
  expect(headProblems({ method: 'GET' }, answer)).toEqual([]);
  expect(JSON.parse(answer.body)).toMatchObject({ error: { message: expect.stringMatching(/\.$/) } });
  return answer;
}

const models = requestBytes({ path: '/v1/models', key: goodKey });
const post = (length: number, key = goodKey) =>
  requestBytes({
    method: 'POST',
    path: '/v1/scripted',
    key,
    headers: { 'content-length': String(length), 'content-type': 'application/json' },
  });
const idle = async (): Promise<void> => {
  await expect.poll(() => gateway.inFlight()).toBe(0);
  await expect.poll(() => gateway.connections()).toBe(0);
};

describe('a client that is too slow', () => {
  it('with its head is answered 408 and cut', async () => {
    const client = await start({ limits: { headersMs: 100 } });
    await client.send('GET /v1/models HTTP/1.1\r\nhost:');
    expect((await bareAnswer(client)).status).toBe(408);
    await client.closed();
    await idle();
  });

  it('to say anything at all is cut', async () => {
    const client = await start({ limits: { headersMs: 100 } });
    await client.closed();
    await idle();
  });

  it('with its body is answered 408 in the shape of the family and cut', async () => {
    const client = await start({ limits: { bodyIdleMs: 100 } });
    await client.send(post(10).toString().replace('/v1/scripted', '/v1/messages'));
    await client.send('{');
    const answer = await client.answer();
    expectSound(gateway, { method: 'POST', path: '/v1/messages' }, answer);
    expect([answer.status, answer.headers.connection]).toEqual([408, 'close']);
    await client.closed();
    await idle();
  });

  it('and sends a byte now and then is cut after the time limit of a request', async () => {
    const client = await start({ limits: { headersMs: 50, requestMs: 200, bodyIdleMs: 10_000 } });
    await client.send(post(100_000).toString().replace('/v1/scripted', '/v1/messages'));
    const trickle = setInterval(() => void client.send(' '), 20);
    try {
      expect((await bareAnswer(client)).status).toBe(408);
      await client.closed();
      await idle();
    } finally {
      clearInterval(trickle);
    }
  });

  it('to ask again on a kept connection is cut without an answer', async () => {
    const client = await start({ limits: { keepAliveMs: 100 } });
    await client.send(models);
    expect((await client.answer()).status).toBe(200);
    await client.closed();
    expect(client.unread).toBe('');
  });
});

describe('bytes that are no request', () => {
  const long = 'x'.repeat(9_000);

  it.each<[string, string, number]>([
    ['a head over 16 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a head far over 16 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(2_000_000)}\r\n\r\n`, 431],
    ['a URL over 16 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
    ['a URL over 8 KiB', `GET /${long} HTTP/1.1\r\nhost: a\r\n\r\n`, 414],
    ['a query over 8 KiB', `GET /v1/models?${long} HTTP/1.1\r\nhost: a\r\n\r\n`, 414],
    ['a model name over 8 KiB', `GET /v1/models/${long} HTTP/1.1\r\nhost: a\r\n\r\n`, 414],
    ['half an escape in the path', 'GET /v1/models/%2 HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['an escape that is not UTF-8', 'GET /v1/models/%ff HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['no HTTP', 'hello, is it me\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nhost: a:443\r\n\r\n', 400],
    ['no Host', 'GET /v1/models HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', 'GET /v1/models HTTP/1.1\r\nhost: a\r\nHost: a\r\n\r\n', 400],
    ['two Hosts of an older client', 'GET /v1/models HTTP/1.0\r\nhost: a\r\nHOST: b\r\n\r\n', 400],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nhost: a\r\nx: a\nb\r\n\r\n', 400],
    ['a space before the colon', 'GET / HTTP/1.1\r\nhost: a\r\ntransfer-encoding : chunked\r\n\r\n', 400],
    [
      'both lengths',
      'POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'both lengths, the other way round',
      'POST /v1/messages HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'two lengths',
      'POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd',
      400,
    ],
    [
      'an encoding that is not chunked last',
      'POST /v1/messages HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a length below zero', 'POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n', 400],
  ])('are answered with an id and a JSON body: %s', async (_what, bytes, status) => {
    const client = await start();
    await client.send(Buffer.from(bytes, 'latin1'));
    expect((await bareAnswer(client)).status).toBe(status);
  });

  it('are answered once, and the connection is closed though the client stays', async () => {
    const client = await start();
    await client.send('nonsense\r\n\r\n');
    await client.send(models);
    expect((await bareAnswer(client)).headers.connection).toBe('close');
    await client.closed();
    expect(client.unread).toBe('');
    await idle();
  });

  it('are also answered on a connection that served before', async () => {
    const client = await start();
    await client.send(models);
    expect((await client.answer()).status).toBe(200);
    await client.send(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect((await bareAnswer(client)).status).toBe(431);
    await client.closed();
  });

  it('are answered after the request before them', async () => {
    const { route, proceed } = heldRoute();
    const client = await start({ routes: [route] });
    await client.send(requestBytes({ path: '/v1/scripted', key: goodKey }));
    await client.send('nonsense\r\n\r\n');
    await expect.poll(() => gateway.inFlight()).toBe(1);
    proceed();
    expect(await client.answer()).toMatchObject({ status: 200, body: '{"late":true}' });
    expect((await bareAnswer(client)).status).toBe(400);
    await client.closed();
    expect(client.unread).toBe('');
    await idle();
  });

  it.each(['nonsense\r\n\r\n', 'GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n', 'x'.repeat(100_000)])(
    'do not spoil the answer to the last request: %.10s',
    async (bytes) => {
      const { route, proceed } = heldRoute();
      const client = await start({ routes: [route] });
      const headers = { connection: 'close' };
      await client.send(requestBytes({ path: '/v1/scripted', key: goodKey, headers }) + bytes);
      await expect.poll(() => gateway.inFlight()).toBe(1);
      await client.send(bytes);
      proceed();
      expect(await client.answer()).toMatchObject({ status: 200, body: '{"late":true}' });
      await client.closed();
      expect(client.unread).toBe('');
      await idle();
    },
  );

  it('in the middle of a body are answered 400', async () => {
    const client = await start();
    const request = { method: 'POST', path: '/v1/messages', key: goodKey };
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
    await client.send(requestBytes({ ...request, headers }));
    await client.send('zz\r\n');
    expect((await bareAnswer(client)).status).toBe(400);
    await client.closed();
    await idle();
  });
});

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const held: (() => void)[] = [];
    const slow = scriptedRoute({
      body: { kind: 'none' },
      handle: async () => {
        await new Promise<void>((resolve) => held.push(resolve));
        return jsonAnswer({ slow: true });
      },
    });
    const client = await start({ routes: [slow] });
    const scripted = requestBytes({ path: '/v1/scripted', key: goodKey });
    await client.send(Buffer.concat([scripted, models, requestBytes({ path: '/nothing' })]));
    await expect.poll(() => held.length).toBe(1);
    await expect.poll(() => gateway.inFlight()).toBe(3);
    expect(client.unread).toBe('');
    held[0]?.();
    const answers = [await client.answer(), await client.answer(), await client.answer()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(answers[0]?.body).toBe('{"slow":true}');
    await expect.poll(() => gateway.inFlight()).toBe(0);
  });

  it('behind one that asks for another protocol are answered too, and so is that one', async () => {
    const { route, proceed } = heldRoute();
    const posting = scriptedRoute({ path: '/v1/posting', handle: async () => jsonAnswer({}) });
    const client = await start({ routes: [route, posting] });
    const upgrade = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
    const scripted = requestBytes({ path: '/v1/scripted', key: goodKey });
    const upgraded = requestBytes({ path: '/v1/models', key: goodKey, headers: upgrade });
    const body = '{"a":{}}';
    const posted = requestBytes({
      method: 'POST',
      path: '/v1/posting',
      key: goodKey,
      headers: { ...upgrade, 'content-type': 'application/json', 'content-length': String(body.length) },
    });
    await client.send(Buffer.concat([scripted, upgraded, posted, Buffer.from(body), models]));
    await client.send(requestBytes({ path: '/nothing' }));
    await expect.poll(() => gateway.inFlight()).toBe(1);
    proceed();
    const statuses = [];
    for (let index = 0; index < 5; index += 1) statuses.push((await client.answer()).status);
    expect([statuses, client.unread]).toEqual([[200, 200, 200, 200, 404], '']);
    client.reset();
    await idle();
    expect(gateway.log).not.toContain('"level":"error"');
  });

  it('are all given up when the client leaves', async () => {
    const { route, seen } = waitingRoute();
    const client = await start({ routes: [route] });
    const bytes = requestBytes({ path: '/v1/waiting', key: goodKey });
    await client.send(Buffer.concat(Array.from({ length: 20 }, () => bytes)));
    await expect.poll(() => seen.length).toBe(20);
    client.reset();
    await expect.poll(() => seen.every(({ signal }) => signal.aborted)).toBe(true);
    await idle();
    await gateway.drainGate.drain(AbortSignal.timeout(60_000));
    expect(gateway.log).not.toContain('"level":"error"');
  });
});

describe('a client whose request is refused before its body is there', () => {
  it.each([
    ['its key is not known', post(100, 'sk-unknown'), 401],
    ['its type is wrong', Buffer.from(post(100).toString().replace('application/json', 'text/plain')), 415],
    ['its path is not known', Buffer.from(post(100).toString().replace('/v1/scripted', '/v1/nothing')), 404],
  ])('is not waited for: %s', async (_why, bytes, status) => {
    const route = scriptedRoute({ handle: () => jsonAnswer({}) });
    const client = await start({ routes: [route], limits: { lingerMs: 50 } });
    await client.send(bytes);
    await client.send('{');
    expect((await client.answer()).status).toBe(status);
    await client.closed();
    await idle();
  });

  it('may go on where it sends the rest in time', async () => {
    const route = scriptedRoute({ handle: () => jsonAnswer({}) });
    const client = await start({ routes: [route], limits: { lingerMs: 60_000 } });
    await client.send(post(100, 'sk-unknown'));
    expect((await client.answer()).status).toBe(401);
    await client.send(Buffer.concat([Buffer.alloc(100, ' '), models]));
    expect((await client.answer()).status).toBe(200);
  });
});

describe('a client that leaves', () => {
  it('in the middle of its body releases its permit', async () => {
    const client = await start({ routes: [scriptedRoute({ handle: () => jsonAnswer({}) })] });
    await client.send(post(100, narrowKey));
    await client.send('{');
    await expect.poll(() => gateway.inFlight()).toBe(1);
    client.reset();
    await idle();
    const next = await connect();
    await next.send(post(2, narrowKey));
    await next.send('{}');
    expect((await next.answer()).status).toBe(200);
  });

  it.each(['reset', 'end'] as const)('in the middle of the work aborts its signal: %s', async (way) => {
    const { route, seen } = waitingRoute();
    const client = await start({ routes: [route] });
    await client.send(requestBytes({ path: '/v1/waiting', key: narrowKey }));
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]?.signal.aborted).toBe(false);
    client[way]();
    await expect.poll(() => seen[0]?.signal.aborted).toBe(true);
    await idle();
    const next = await connect();
    await next.send(requestBytes({ path: '/v1/models', key: narrowKey }));
    expect((await next.answer()).status).toBe(200);
    expect(gateway.log).toContain('"status":499');
    expect(gateway.log).not.toContain('"level":"error"');
  });

  it.each(['GET', 'POST'])('while its key is looked up is not served: %s', async (method) => {
    const { route, seen } = waitingRoute(method === 'POST' ? '/v1/scripted' : '/v1/waiting');
    let found = () => {};
    const hold = new Promise<void>((resolve) => {
      found = resolve;
    });
    const client = await start({ routes: [route] });
    Object.assign(gateway.directory, { hold });
    const bytes = requestBytes({ path: '/v1/waiting', key: narrowKey });
    await client.send(method === 'POST' ? Buffer.concat([post(2, narrowKey), Buffer.from('{}')]) : bytes);
    await expect.poll(() => gateway.inFlight()).toBe(1);
    client.reset();
    await idle();
    found();
    const next = await connect();
    await next.send(requestBytes({ path: '/v1/models', key: narrowKey }));
    expect((await next.answer()).status).toBe(200);
    expect(seen).toEqual([]);
  });

  it('may close its sending side and still read its answer', async () => {
    const client = await start();
    await client.send(requestBytes({ path: '/v1/models', key: goodKey, headers: { connection: 'close' } }));
    client.end();
    expect((await client.answer()).status).toBe(200);
  });
});

/** A route that answers when it is released. */
function heldRoute(): { route: Route; proceed: () => void } {
  let proceed = () => {};
  const held = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const handle = async () => {
    await held;
    return jsonAnswer({ late: true });
  };
  return { route: scriptedRoute({ body: { kind: 'none' }, handle }), proceed };
}

/** A route that works until its signal aborts. */
function waitingRoute(path = '/v1/waiting'): { route: Route; seen: KeyRequest[] } {
  const seen: KeyRequest[] = [];
  const route = scriptedRoute({
    path,
    ...(path === '/v1/waiting' ? { body: { kind: 'none' } } : {}),
    handle: async (request) => {
      seen.push(request);
      await new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
      return jsonAnswer({});
    },
  });
  return { route, seen };
}

describe('a connection over the bound', () => {
  it.each([{ connectionsPerAddress: 2 }, { connections: 2 }])(
    'is refused and closed, and there is a free slot when another closes: %o',
    async (limits) => {
      const first = await start({ limits });
      const second = await connect();
      await second.send(models);
      expect((await second.answer()).status).toBe(200);
      const third = await connect();
      const refusal = await bareAnswer(third);
      expect(refusal.status).toBe(503);
      expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0);
      await third.closed();
      await first[Symbol.asyncDispose]();
      await expect.poll(() => gateway.connections()).toBe(1);
      const fourth = await connect();
      await fourth.send(models);
      expect((await fourth.answer()).status).toBe(200);
    },
  );

  it('releases its slot, on the fast path or not', async () => {
    const client = await start({ limits: { connectionsPerAddress: 1 } });
    await client.send(models);
    expect((await client.answer()).status).toBe(200);
    for (const _ of [1, 2, 3]) {
      await clients.at(-1)?.[Symbol.asyncDispose]();
      await expect.poll(() => gateway.connections()).toBe(0);
      const next = await connect();
      await next.send(models);
      expect((await next.answer()).status).toBe(200);
    }
  });
});
