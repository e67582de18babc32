import { afterEach, describe, expect, it } from 'vitest';
import { answerProblems } from '../../testing/answer-problems.ts';
import { call, expectSound, jsonCall, requestBytes } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { scriptedRoute } from '../../testing/scripted-route.ts';
import { Fault } from '../faults/fault.ts';
import { jsonAnswer } from './answer.ts';

const never = new AbortController().signal;
let gateway: HttpGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe('a gateway that drains', () => {
  it.each([
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/images/generations',
    '/v1/images/edits',
    '/v1/documents/extract',
    '/v1/documents/generate',
  ])('refuses new requests in the shape of their family, with or without a key: %s', async (path) => {
    gateway = await HttpGateway.start();
    await gateway.drainGate.drain(never);
    for (const key of [goodKey, 'sk-unknown']) {
      const answer = await call(gateway, jsonCall(path, key));
      expect([answer.status, answer.headers['retry-after'], answer.headers.connection]).toEqual([
        503,
        '5',
        'close',
      ]);
      expect(answer.body).toContain('shutting down');
    }
  });

  it('refuses the next request of a kept connection, and closes it', async () => {
    gateway = await HttpGateway.start();
    await using client = await gateway.connect();
    const models = { path: '/v1/models', key: goodKey };
    await client.send(requestBytes(models));
    expect((await client.answer()).status).toBe(200);
    await gateway.drainGate.drain(never);
    await client.send(requestBytes(models));
    const answer = await client.answer();
    expectSound(gateway, models, answer);
    expect([answer.status, answer.headers.connection]).toEqual([503, 'close']);
    await client.closed();
  });

  it('is drained only when the requests in flight have ended', async () => {
    let proceed = () => {};
    const held = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const handle = async () => {
      await held;
      return jsonAnswer({ done: true });
    };
    gateway = await HttpGateway.start({ routes: [scriptedRoute({ handle })] });
    const running = call(gateway, jsonCall('/v1/scripted', goodKey)).catch((error: unknown) => error);
    await expect.poll(() => gateway.inFlight()).toBe(1);
    let empty = false;
    const draining = gateway.drainGate.drain(never).then(() => {
      empty = true;
    });
    expect((await call(gateway, { path: '/v1/models', key: goodKey })).status).toBe(503);
    expect(empty).toBe(false);
    proceed();
    expect(await running).toMatchObject({ status: 200, body: '{"done":true}' });
    await draining;
  });

  it('still answers /healthz, /readyz and /metrics', async () => {
    gateway = await HttpGateway.start();
    await gateway.drainGate.drain(never);
    const statuses = await Promise.all(
      ['/healthz', '/readyz', '/metrics', '/docs'].map(
        async (path) => (await call(gateway, { path })).status,
      ),
    );
    expect(statuses).toEqual([200, 503, 200, 503]);
  });
});

describe('a gateway that is about to drain', () => {
  it('is not ready, serves new connections, and closes each after its answer', async () => {
    gateway = await HttpGateway.start();
    await using kept = await gateway.connect();
    const models = { path: '/v1/models', key: goodKey };
    await kept.send(requestBytes(models));
    expect((await kept.answer()).status).toBe(200);
    gateway.drainGate.announce();
    expect((await call(gateway, { path: '/readyz' })).status).toBe(503);
    await kept.send(requestBytes(models));
    for (const answer of [await kept.answer(), await call(gateway, models)]) {
      expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    }
    await kept.closed();
  });
});

describe('a gateway whose database is away', () => {
  it('is alive and not ready', async () => {
    gateway = await HttpGateway.start({
      notReady: () => new Fault('database-away', 'The database is away.'),
    });
    expect((await call(gateway, { path: '/healthz' })).status).toBe(200);
    const answer = await call(gateway, { path: '/readyz' });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  it('refuses every key with 503 until it is back', async () => {
    const directory = {
      find: async () => Promise.reject(new Fault('database-away', 'The database is away.')),
      findKey: async () => undefined,
      existing: async () => new Set<string>(),
    };
    gateway = await HttpGateway.start({ directory });
    const answer = await call(gateway, { path: '/v1/models', key: goodKey });
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example';
  const question = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-os',
  };

  it('is off unless configured', async () => {
    gateway = await HttpGateway.start();
    const preflight = await call(gateway, { method: 'OPTIONS', path: '/v1/messages', headers: question });
    expect(preflight.status).toBe(405);
    const answer = await call(gateway, { path: '/v1/models', key: goodKey, headers: { origin } });
    expect(Object.keys(answer.headers).filter((name) => /^access-control|^vary/.test(name))).toEqual([]);
  });

  it('answers the preflight of an allowed origin without a key', async () => {
    gateway = await HttpGateway.start({ corsOrigins: [origin] });
    await using client = await gateway.connect();
    await client.send(requestBytes({ method: 'OPTIONS', path: '/v1/messages', headers: question }));
    const answer = await client.answer();
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': question['access-control-request-headers'],
      'x-request-id': answer.headers['request-id'],
    });
  });

  it('sends no length with an answer that cannot have a body', async () => {
    gateway = await HttpGateway.start({ corsOrigins: [origin] });
    await using client = await gateway.connect();
    await client.send(requestBytes({ method: 'OPTIONS', path: '/v1/messages', headers: question }));
    const { status, headers } = await client.answer();
    expect(status === 204 && 'content-length' in headers).toBe(false);
    await client.send(requestBytes({ path: '/healthz' }));
    expect((await client.answer()).body).toBe('ok\n');
  });

  it('lets an allowed origin read answers and refusals, and another none', async () => {
    gateway = await HttpGateway.start({ corsOrigins: [origin] });
    for (const key of [goodKey, 'sk-unknown']) {
      const answer = await call(gateway, { path: '/v1/models', key, headers: { origin } });
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
      expect(answer.headers['access-control-expose-headers']).toContain('x-request-id');
    }
    const other = await call(gateway, {
      path: '/v1/models',
      key: goodKey,
      headers: { origin: 'https://evil' },
    });
    expect([other.headers['access-control-allow-origin'], other.headers.vary]).toEqual([undefined, 'origin']);
    const refused = await call(gateway, {
      method: 'OPTIONS',
      path: '/v1/messages',
      headers: { ...question, origin: 'https://evil' },
    });
    expect(refused.status).toBe(405);
  });
});

it('the checker of answers finds mistakes', async () => {
  gateway = await HttpGateway.start();
  const good = await call(gateway, { path: '/v1/models', key: goodKey });
  const asked = { method: 'GET', path: '/v1/models' };
  const problems = (change: object) =>
    answerProblems(gateway.description(asked.path), asked, { ...good, ...change });
  expect(problems({})).toEqual([]);
  expect(problems({ status: 201 })).toEqual(['GET /v1/models describes no 201']);
  expect(problems({ body: '{"object":"list"}' })).toContain('$: no data');
  expect(problems({ headers: { ...good.headers, 'request-id': 'x' } })).toEqual(['has the same id twice']);
  expect(problems({ status: 503 })).toContain('names a delay');
});
