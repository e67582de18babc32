import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closedPort } from '../testing/closed-port.ts';
import { engineEndpoints, errorShapes } from './error-shapes.ts';
import { eventually } from './eventually.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { RawClient } from './raw-client.ts';
import { abuse, rudeManners } from './rude-manners.ts';
import { WorkFolder } from './work-folder.ts';

const RUDE_CLIENTS = 200;

/** Engines whose server is down. */
function enginesAway(port: number): string {
  const server = `base_url: "http://127.0.0.1:${port}/v1", model: smollm2-135m-instruct`;
  return `engines: { text: { away: { kind: openai, ${server} } }, image: { away: { kind: openai-images, ${server} } } }\n`;
}

let folder: WorkFolder;
let gateway: GatewayProcess;

beforeAll(async () => {
  folder = await WorkFolder.withDatabase();
  folder.configure(enginesAway(await closedPort()));
  gateway = await startGateway(folder);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

describe('the routes for operators', () => {
  it.each([
    ['/healthz', 'ok\n', 'text/plain'],
    ['/readyz', 'ready\n', 'text/plain'],
  ])('%s answers without a key', async (path, body, type) => {
    const answer = await gateway.request(path);
    expect(answer).toMatchObject({ status: 200, text: body });
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['x-request-id']).toBe(answer.headers['request-id']);
  });

  it('/metrics counts requests by route, family and status class, and says nothing of tenants', async () => {
    await gateway.statusFor('sk-an-unknown-key');
    const { status, text } = await gateway.request('/metrics');
    expect(status).toBe(200);
    expect(text).toMatch(
      /^stackgate_http_requests_total\{route="\/v1\/models",family="models",status_class="4xx"\} [1-9]/m,
    );
    expect(text).toMatch(/^stackgate_http_request_duration_seconds_bucket\{/m);
    expect(text).toMatch(/^stackgate_http_requests_in_flight [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    expect(text).toMatch(/^stackgate_engine_state\{/m);
    expect(text).not.toContain(gateway.key);
  });

  it('/openapi.json describes every endpoint of the specification, and /docs is a page', async () => {
    const description = (await gateway.request('/openapi.json')).json();
    expect(description).toMatchObject({ openapi: '3.1.0' });
    for (const { path } of engineEndpoints) expect(description).toHaveProperty(['paths', path, 'post']);
    expect(description).toHaveProperty(['paths', '/v1/models', 'get']);
    const page = await gateway.request('/docs');
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.text).toContain('/v1/chat/completions');
  });
});

describe.each(engineEndpoints)('POST $path', ({ path, contentType, body, refusal, notReady }) => {
  const question = { method: 'POST', headers: { 'content-type': contentType }, body };

  it('answers 401 in its shape without a key', async () => {
    const answer = await gateway.request(path, question);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual(refusal);
  });

  it('answers 503 in its shape, with Retry-After, with one', async () => {
    const answer = await gateway.request(path, { ...question, key: gateway.key });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.json()).toEqual(notReady);
  });

  it('answers 405 with what it takes, without a key', async () => {
    const answer = await gateway.request(path);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expect(answer.json()).toEqual(refusal);
  });
});

describe('what has no route', () => {
  it('is 404 in the shape of the models, and of the messages below /v1/messages', async () => {
    const unknown = await gateway.request('/v1/nothing');
    expect(unknown.status).toBe(404);
    expect(unknown.json()).toEqual(errorShapes.models);
    const below = await gateway.request('/v1/messages/batches');
    expect(below.status).toBe(404);
    expect(below.json()).toEqual(errorShapes.messages);
  });

  it('is 400 where it is no HTTP at all', async () => {
    using client = await RawClient.open(gateway.url);
    await client.sent('\u0016\u0003\u0001 this is no request\r\n\r\n');
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe(`after ${RUDE_CLIENTS} rude clients`, () => {
  it('serves no request any more, has no more sockets than before, and still answers', async () => {
    const before = await activeHandles();
    const clients = Array.from({ length: RUDE_CLIENTS }, (_, index) =>
      abuse(gateway.url, { key: gateway.key, manner: rudeManners[index % rudeManners.length] ?? 'garbage' }),
    );
    await Promise.all(clients);
    await eventually('only the question itself is in flight', async () =>
      (await gateway.inFlight()) === 1 ? true : undefined,
    );
    await eventually('the sockets are gone', async () =>
      (await activeHandles()) <= before + 2 ? true : undefined,
    );
    expect(await gateway.statusFor(gateway.key)).toBe(200);
    expect((await gateway.request('/readyz')).status).toBe(200);
    expect(gateway.log.filter((line) => line.level === 'error')).toEqual([]);
  });
});

/** Active handles of the process, sockets included. */
async function activeHandles(): Promise<number> {
  const { text } = await gateway.request('/metrics');
  return Number(/^nodejs_active_handles_total (\d+)$/m.exec(text)?.[1] ?? 0);
}
