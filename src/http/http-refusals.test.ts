import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, narrowKey, textKey } from '../../testing/http-gateway.ts';
import { unreadyPath, unreadyRoute } from '../../testing/scripted-route.ts';
import { WRONG_KEYS_PER_MINUTE } from '../access/wrong-keys.ts';

let gateway: HttpGateway;
beforeAll(async () => {
  gateway = await HttpGateway.start({ routes: [unreadyRoute] });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const posts = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/schemas/check',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/documents/extract',
  '/v1/images/extract',
  '/v1/documents/generate',
];
const gets = ['/v1/models', '/v1/models/tiny'];
const withoutId = (body: string) => body.replace(/req_\w+/, 'req');

describe('an unknown path', () => {
  it.each(['/', '/v1', '/v1/nothing', '/v2/models', '/v1/Models', '//v1/models', '*'])(
    'is 404 without a key, in the shape of both vendors: %s',
    async (path) => {
      const answer = await call(gateway, { path });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', code: null },
      });
    },
  );

  it.each(['/admin/v1', '/admin/v1/nothing', '/console/api/nothing?a=1'])(
    'of operators is 404 in the shape of its neighbours: %s',
    async (path) => {
      const { status, body } = await call(gateway, { path });
      expect([status, JSON.parse(body)]).toEqual([
        404,
        { detail: 'There is no such endpoint. See /docs for the list.' },
      ]);
    },
  );

  it.each(['/v1/messages/batches', '/v1/messages/', '/v1/messages/x?beta=true'])(
    'is 404 in the messages shape under /v1/messages: %s',
    async (path) => {
      const answer = await call(gateway, { path, method: 'POST' });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({
        error: { type: 'not_found_error' },
        request_id: answer.headers['x-request-id'],
      });
    },
  );

  it('is 404 whatever the method', async () => {
    for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'DELETE', 'HEAD', 'PURGE', 'QUERY']) {
      expect((await call(gateway, { path: '/nothing', method })).status).toBe(404);
    }
  });

  it('may be asked for in absolute form', async () => {
    expect((await call(gateway, { path: 'http://gateway.test/nothing' })).status).toBe(404);
    const models = await call(gateway, { path: 'http://gateway.test/v1/models', key: goodKey });
    expect(models.status).toBe(200);
  });
});

describe('a wrong method', () => {
  it.each(posts)('is 405 and names POST, without a key: %s', async (path) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'DELETE']) {
      const answer = await call(gateway, { path, method });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST']);
    }
  });

  it.each([...gets, '/healthz', '/readyz', '/metrics', '/docs', '/openapi.json'])(
    'is 405 and names GET and HEAD, without a key: %s',
    async (path) => {
      for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'PATCH']) {
        const answer = await call(gateway, { path, method });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
      }
    },
  );
});

describe('a bad key', () => {
  it.each([...posts, ...gets])('gets the same bytes for every kind of bad: %s', async (path) => {
    const method = gets.includes(path) ? 'GET' : 'POST';
    const bad: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Basic ${goodKey}` },
      { authorization: 'Bearer sk-unknown' },
      { authorization: `Bearer ${'x'.repeat(5_000)}` },
      { 'x-api-key': 'sk-unknown' },
      { 'x-api-key': 'sk-unknown', authorization: 'Bearer sk-other' },
    ];
    const answers = await Promise.all(bad.map((headers) => call(gateway, { path, method, headers })));
    const seen = new Set(answers.map(({ status, body }) => `${status} ${withoutId(body)}`));
    expect([...seen]).toHaveLength(1);
    expect(answers[0]?.status).toBe(401);
    const names = new Set(answers.map(({ headers }) => Object.keys(headers).join()));
    expect(names.size).toBe(1);
  });

  it('is both headers with two keys, each good by itself', async () => {
    const headers = { 'x-api-key': goodKey };
    expect((await call(gateway, { path: '/v1/models', key: goodKey, headers })).status).toBe(200);
    expect((await call(gateway, { path: '/v1/models', key: textKey, headers })).status).toBe(401);
  });

  it('is x-api-key where that dialect is not spoken', async () => {
    const request: Call = { path: '/v1/chat/completions', method: 'POST', headers: { 'x-api-key': goodKey } };
    expect((await call(gateway, request)).status).toBe(401);
    expect((await call(gateway, { ...request, path: '/v1/messages' })).status).toBe(415);
  });
});

describe('the order of checks', () => {
  const tooLong = { 'content-length': '99999999' };

  it.each<[string, Call, number]>([
    ['a path before a key', { path: '/nothing', key: 'sk-unknown' }, 404],
    ['a method before a key', { path: '/v1/messages', method: 'PUT', key: 'sk-unknown' }, 405],
    ['a key before the image plan', { path: '/v1/images/edits', method: 'POST', key: 'sk-unknown' }, 401],
    ['a key before the cap', { path: '/v1/messages', method: 'POST', headers: tooLong }, 401],
    [
      'the image plan before the cap',
      { path: '/v1/images/edits', method: 'POST', key: textKey, headers: tooLong },
      403,
    ],
    [
      'the cap before the type',
      {
        path: '/v1/messages',
        method: 'POST',
        key: goodKey,
        headers: { ...tooLong, 'content-type': 'text/x' },
      },
      413,
    ],
    [
      'the type before the JSON',
      {
        path: '/v1/messages',
        method: 'POST',
        key: goodKey,
        headers: { 'content-type': 'text/x' },
        body: '{',
      },
      415,
    ],
    ['the JSON before the capability', jsonCall('/v1/messages', goodKey, '{'), 400],
    ['the capability last', jsonCall(unreadyPath, goodKey), 503],
  ])('is %s', async (_what, request, status) => {
    expect((await call(gateway, request)).status).toBe(status);
  });

  it('is the image plan on both image routes and nowhere else', async () => {
    const answers = await Promise.all(
      posts.map(
        async (path) => [path, (await call(gateway, { ...jsonCall(path, textKey) })).status] as const,
      ),
    );
    const refused = answers.filter(([, status]) => status === 403).map(([path]) => path);
    expect(refused).toEqual(['/v1/images/generations', '/v1/images/edits']);
  });
});

describe('a stack at its ceiling', () => {
  it('is refused before its body is read, and served again when the other request has ended', async () => {
    await using first = await gateway.connect();
    await first.send(
      `POST ${unreadyPath} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${narrowKey}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
    );
    await expect.poll(() => gateway.inFlight()).toBe(1);
    const second = await call(gateway, jsonCall('/v1/messages', narrowKey, '{'));
    expect(second.status).toBe(429);
    await first.send('}');
    expect((await first.answer()).status).toBe(503);
    expect((await call(gateway, jsonCall(unreadyPath, narrowKey))).status).toBe(503);
  });
});

describe('the log', () => {
  it.each<[string, Call, object]>([
    [
      'a capability that is missing',
      jsonCall(unreadyPath, goodKey),
      { stack: 'shop', key: 'web', status: 503 },
    ],
    [
      'a body that is no JSON',
      jsonCall('/v1/messages', textKey, '{'),
      { stack: 'text', key: 'web', status: 400 },
    ],
    ['the plan', jsonCall('/v1/images/edits', textKey), { stack: 'text', key: 'web', status: 403 }],
    ['an unknown key', { path: '/v1/models', key: 'sk-unknown' }, { status: 401 }],
    ['an unknown path', { path: '/v1/nothing', key: goodKey }, { status: 404 }],
  ])(
    'names stack and key of a request, where they were known, that was refused for %s',
    async (_why, request, ids) => {
      const { headers } = await call(gateway, request);
      const id = headers['x-request-id'] ?? 'none';
      const find = () =>
        gateway.log.split('\n').find((line) => line.includes(id) && line.includes('"message":"request"'));
      await expect.poll(find).toBeDefined();
      const { stack, key, status } = JSON.parse(find() ?? '{}') as Readonly<Record<string, unknown>>;
      expect({ stack, key, status }).toEqual({ stack: undefined, key: undefined, ...ids });
    },
  );
});

describe('wrong keys over the bound of their address', () => {
  it('are counted, but not logged one by one', async () => {
    await using flooded = await HttpGateway.start();
    const statuses: number[] = [];
    for (let count = 0; count < WRONG_KEYS_PER_MINUTE + 2; count++) {
      statuses.push((await call(flooded, { path: '/v1/models', key: `sk-wrong-${count}` })).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(WRONG_KEYS_PER_MINUTE);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    expect((await call(flooded, { path: '/v1/models', key: goodKey })).status).toBe(200);
    await expect.poll(() => flooded.log).toContain('"status":200');
    expect(flooded.log).not.toContain('"status":429');
    const { body } = await call(flooded, { path: '/metrics' });
    expect(body).toContain(
      `{route="/v1/models",family="models",status_class="4xx"} ${WRONG_KEYS_PER_MINUTE + 2}`,
    );
  });
});
