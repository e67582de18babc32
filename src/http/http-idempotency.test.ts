import { afterEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, narrowKey, textKey } from '../../testing/http-gateway.ts';
import { MemoryIdempotencyBook } from '../../testing/idempotency/memory-idempotency-book.ts';
import type { RawAnswer } from '../../testing/raw-client.ts';
import { scriptedRoute } from '../../testing/scripted-route.ts';
import { hold } from '../../testing/text/held.ts';
import { TextCall } from '../../testing/text/text-call.ts';
import { CHAT, TextGateway } from '../../testing/text/text-gateway.ts';
import { Fault } from '../faults/fault.ts';
import { jsonAnswer } from './answer.ts';
import { formBody } from './body-rules.ts';

const PATH = '/v1/scripted';
const running: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one[Symbol.asyncDispose]();
});

function deferred() {
  let resolve: (value: object) => void = () => {};
  const promise = new Promise<object>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

interface Scripted {
  readonly handle?: (run: number) => Promise<object> | object;
  readonly book?: MemoryIdempotencyBook;
}

/** A gateway with a route that counts its runs. */
async function start({ handle = (run) => ({ run }), book = new MemoryIdempotencyBook() }: Scripted = {}) {
  let runs = 0;
  const count = async () => {
    runs += 1;
    return jsonAnswer(await handle(runs));
  };
  const gateway = await HttpGateway.start({
    routes: [
      scriptedRoute({ path: PATH, handle: count }),
      scriptedRoute({ path: `${PATH}/other`, handle: count }),
      scriptedRoute({ path: `${PATH}/form`, body: formBody(() => 1_000_000), handle: count }),
    ],
    idempotency: book,
  });
  running.push(gateway);
  return { gateway, runs: () => runs };
}

interface Sent {
  readonly name?: string;
  readonly body?: string;
  readonly path?: string;
  readonly key?: string;
}

async function send(
  gateway: HttpGateway,
  { name = 'n-1', body = '{}', path = PATH, key = goodKey }: Sent = {},
): Promise<RawAnswer> {
  const request = jsonCall(path, key, body);
  return await call(gateway, { ...request, headers: { ...request.headers, 'idempotency-key': name } });
}

describe('a request with an Idempotency-Key', () => {
  it('runs once; later ones get the same answer, marked, with an id of their own', async () => {
    const { gateway, runs } = await start();
    const [first, second] = [await send(gateway), await send(gateway)];
    expect(first).toMatchObject({ status: 200, body: '{"run":1}' });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second).toMatchObject({ status: 200, body: '{"run":1}' });
    expect(second.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotent-replayed': 'true',
    });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(runs()).toBe(1);
  });

  it('is another request with another key, route or caller', async () => {
    const { gateway, runs } = await start();
    await send(gateway);
    await send(gateway, { name: 'n-2' });
    await send(gateway, { path: `${PATH}/other` });
    await send(gateway, { key: textKey });
    expect(runs()).toBe(4);
  });

  it.each([
    ['another body', { body: '{"a":1}' }],
    ['another query', { path: `${PATH}?beta=true` }],
  ])('is refused with %s', async (_what, other) => {
    const { gateway, runs } = await start();
    await send(gateway);
    const answer = await send(gateway, other);
    expect(answer.status).toBe(422);
    expect(JSON.parse(answer.body).error).toMatchObject({ code: 'idempotency_key_reused' });
    expect(runs()).toBe(1);
  });

  it.each(['', 'x'.repeat(256)])('is refused with a key of a wrong length', async (name) => {
    const { gateway, runs } = await start();
    const answer = await send(gateway, { name });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).error).toMatchObject({ code: 'idempotency_key_invalid' });
    expect(runs()).toBe(0);
  });

  it('waits while the same request runs on another replica, and gets its answer', async () => {
    const book = new MemoryIdempotencyBook();
    const { promise, resolve } = deferred();
    const [one, other] = [await start({ book, handle: () => promise }), await start({ book })];
    const first = send(one.gateway);
    await expect.poll(one.runs).toBe(1);
    const second = send(other.gateway);
    await expect.poll(() => book.waits).toBeGreaterThan(0);
    const refused = await send(other.gateway, { body: '{"a":1}' });
    resolve({ made: 'here' });
    expect((await first).body).toBe('{"made":"here"}');
    expect(await second).toMatchObject({ status: 200, body: '{"made":"here"}' });
    expect(refused.status).toBe(422);
    expect(other.runs()).toBe(0);
  });

  it('runs again where the replica that ran it died', async () => {
    const book = new MemoryIdempotencyBook();
    const { promise, resolve } = deferred();
    const [dying, other] = [await start({ book, handle: () => promise }), await start({ book })];
    const first = send(dying.gateway);
    await expect.poll(dying.runs).toBe(1);
    const second = send(other.gateway);
    await expect.poll(() => book.waits).toBeGreaterThan(0);
    book.endLeases();
    expect((await second).body).toBe('{"run":1}');
    resolve({ made: 'too late' });
    expect((await first).body).toBe('{"made":"too late"}');
    expect((await send(other.gateway)).body).toBe('{"run":1}');
  });

  it.each([
    ['model-not-ready', 2],
    ['rate-limited', 2],
    ['model-not-found', 1],
  ] as const)('that fails with %s runs %i times', async (code, times) => {
    const handle = () => {
      throw new Fault(code, 'Refused.');
    };
    const { gateway, runs } = await start({ handle });
    const [first, second] = [await send(gateway), await send(gateway)];
    expect(second.status).toBe(first.status);
    expect(second.headers['idempotent-replayed']).toBe(times === 1 ? 'true' : undefined);
    expect(runs()).toBe(times);
  });

  it('is completed although its client left, for the next try', async () => {
    const { promise, resolve } = deferred();
    const { gateway, runs } = await start({ handle: () => promise });
    const leaving = new TextCall({
      port: gateway.port,
      path: PATH,
      key: goodKey,
      body: '{}',
      headers: { 'idempotency-key': 'n-1' },
    });
    await expect.poll(runs).toBe(1);
    leaving.leave();
    await expect.poll(() => gateway.connections()).toBe(0);
    resolve({ made: 'for the next try' });
    expect((await send(gateway)).body).toBe('{"made":"for the next try"}');
    expect(runs()).toBe(1);
    await expect.poll(() => gateway.inFlight()).toBe(0);
    expect(gateway.bodyMemory.heldBytes).toBe(0);
  });

  it('counts as a request without any use when it is answered again', async () => {
    const { gateway } = await start();
    await send(gateway);
    await send(gateway);
    await expect.poll(() => gateway.usage.ended.length).toBe(2);
    expect(gateway.usage.ended[1]).toMatchObject({ outcome: 'ok', promptTokens: 0, completionTokens: 0 });
  });

  it('gives its permit back in every case', async () => {
    const { gateway } = await start();
    for (let run = 0; run < 3; run++) expect((await send(gateway, { key: narrowKey })).status).toBe(200);
    expect((await send(gateway, { key: narrowKey, body: '{"a":1}' })).status).toBe(422);
    expect((await send(gateway, { key: narrowKey })).status).toBe(200);
  });

  it('has an answer that nothing stored can be read without the key', async () => {
    const { gateway } = await start({ handle: () => ({ secret: 'MARKER' }) });
    await send(gateway);
    const [sealed] = gateway.idempotency.kept;
    expect(Buffer.from(sealed ?? []).includes('MARKER')).toBe(false);
    expect(sealed?.length).toBeGreaterThan(20);
  });
});

describe('a form with an Idempotency-Key', () => {
  const form = (boundary: string, bytes: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}\r\n` +
    `content-disposition: form-data; name="file"; filename="f.pdf"\r\ncontent-type: application/pdf\r\n\r\n${bytes}\r\n--${boundary}--\r\n`;
  const sendForm = (gateway: HttpGateway, boundary: string, bytes: string) =>
    call(gateway, {
      method: 'POST',
      path: `${PATH}/form`,
      key: goodKey,
      headers: {
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'idempotency-key': 'n-1',
      },
      body: form(boundary, bytes),
    });

  it('is the same whatever its boundary, and another one with another file', async () => {
    const { gateway, runs } = await start();
    expect((await sendForm(gateway, 'one', 'bytes')).body).toBe('{"run":1}');
    expect((await sendForm(gateway, 'other', 'bytes')).body).toBe('{"run":1}');
    expect((await sendForm(gateway, 'other', 'Bytes')).status).toBe(422);
    expect(runs()).toBe(1);
  });
});

describe('a chat with an Idempotency-Key', () => {
  const ask = (gateway: TextGateway, fields: object = {}) =>
    new TextCall({
      port: gateway.http.port,
      path: CHAT,
      key: 'sk-a',
      body: { model: 'tiny', messages: [{ role: 'user', content: 'Say hello.' }], ...fields },
      headers: { 'idempotency-key': 'n-1' },
    });
  const open = async () => {
    const caller = makeCaller({ stack: { models: ['tiny'] } });
    const gateway = await TextGateway.start({ callers: { 'sk-a': caller } });
    running.push(gateway);
    return gateway;
  };

  it.each([false, true])('is asked of the model once, streamed: %s', async (stream) => {
    const gateway = await open();
    const first = await ask(gateway, { stream }).answer();
    const second = await ask(gateway, { stream }).answer();
    expect(second.body).toBe(first.body);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(gateway.asked).toHaveLength(1);
    expect(first.body).toContain(stream ? 'data: [DONE]' : '"choices"');
  });

  it('is streamed to its end for a client that left in the middle', async () => {
    const gateway = await open();
    const held = hold();
    gateway.upstream.respond({
      text: ['Hel', 'lo'],
      beforePiece: (index) => (index > 1 ? held.until : undefined),
    });
    const leaving = ask(gateway, { stream: true });
    await leaving.until((received) => received.includes('Hel'));
    leaving.leave();
    await leaving.ended;
    held.release();
    const again = await ask(gateway, { stream: true }).answer();
    expect(again.body).toContain('data: [DONE]');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(gateway.asked).toHaveLength(1);
  });

  it('is asked again after a stream that failed', async () => {
    const gateway = await open();
    gateway.upstream.respond({ text: ['Hel', 'lo'], fail: { mode: 'reset-mid-stream', afterEvents: 2 } });
    const failed = await ask(gateway, { stream: true }).answer();
    expect(failed.body).toContain('"error"');
    const again = await ask(gateway, { stream: true }).answer();
    expect(again.body).toContain('data: [DONE]');
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
  });
});
