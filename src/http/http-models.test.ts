import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';

let gateway: HttpGateway;
beforeAll(async () => {
  gateway = await HttpGateway.start();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe('models', () => {
  it('are listed for SDKs of both vendors', async () => {
    const answer = await call(gateway, { path: '/v1/models?beta=true&limit=1000', key: goodKey });
    expect(JSON.parse(answer.body)).toEqual({
      object: 'list',
      data: [model('tiny'), model('org/large')],
      has_more: false,
      first_id: 'tiny',
      last_id: 'org/large',
    });
  });

  it('are listed to x-api-key, with headers that a bodiless GET does not need', async () => {
    const headers = { 'x-api-key': goodKey, 'content-type': 'application/json', 'anthropic-version': '1999' };
    expect((await call(gateway, { path: '/v1/models', headers })).status).toBe(200);
  });

  it.each(['org%2Flarge', 'org%2flarge', 'org%2Flarge?beta=true', '%6Frg%2Flarge'])(
    'are shown by an encoded name: %s',
    async (name) => {
      const answer = await call(gateway, { path: `/v1/models/${name}`, key: goodKey });
      expect(JSON.parse(answer.body)).toEqual(model('org/large'));
    },
  );

  it.each(['none', 'TINY', '', '__proto__', 'tiny%00', '%F0%9F%98%80', `${'x'.repeat(7_000)}`])(
    'are 404 when unknown, in the shape of both vendors: %s',
    async (name) => {
      const answer = await call(gateway, { path: `/v1/models/${name}`, key: goodKey });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.body)).toEqual({
        type: 'error',
        error: {
          message: 'This stack serves "tiny", "org/large", not the model asked for.',
          type: 'invalid_request_error',
          param: 'model',
          code: 'model_not_found',
        },
      });
    },
  );

  it('are answered to HEAD without a body', async () => {
    const get = await call(gateway, { path: '/v1/models', key: goodKey });
    const head = await call(gateway, { path: '/v1/models', key: goodKey, method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  function model(id: string): object {
    return {
      id,
      object: 'model',
      created: 1767323045,
      owned_by: 'stackgate',
      type: 'model',
      display_name: id,
      created_at: '2026-01-02T03:04:05.000Z',
    };
  }
});

describe('the operations routes', () => {
  it.each(['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json'])('need no key: %s', async (path) => {
    expect((await call(gateway, { path })).status).toBe(200);
  });

  it('label requests by route pattern, never by the path that was sent', async () => {
    await call(gateway, { path: '/v1/models/a-secret-name', key: goodKey });
    await call(gateway, { path: '/a-secret-path' });
    await call(gateway, { path: '/healthz', method: 'PURGE' });
    const { body } = await call(gateway, { path: '/metrics' });
    expect(body).toContain('route="/v1/models/:id",family="models",status_class="4xx"');
    expect(body).toContain('route="unmatched",family="models",status_class="4xx"');
    expect(body).not.toMatch(/secret|PURGE/);
  });
});
