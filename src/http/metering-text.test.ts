import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeSearch, retrieverOn } from '../../testing/knowledge/fake-search.ts';
import { foundChunk } from '../../testing/knowledge/found-chunks.ts';
import { hold } from '../../testing/text/held.ts';
import { streamData } from '../../testing/text/stream-events.ts';
import { CHAT, COUNT, MESSAGES, TextGateway } from '../../testing/text/text-gateway.ts';
import { clientWires } from '../../testing/text/text-wires.ts';
import type { Caller } from '../access/caller.ts';
import type { EndedRequest } from '../access/usage-recorder.ts';

const forever = new Promise<void>(() => {});
const nothing = { promptTokens: 0, completionTokens: 0, pages: 0, images: 0, pdfPages: 0 };
let gateway: TextGateway;

beforeEach(async () => {
  const narrow = makeCaller({ stack: { id: 'narrow' }, limits: { requestsPerMinute: 1 } });
  gateway = await TextGateway.start({ callers: { 'sk-a': makeCaller(), 'sk-narrow': narrow } });
});
afterEach(() => gateway[Symbol.asyncDispose]());

/** The recorded usage, once this many requests are over. */
async function recorded(count = 1): Promise<readonly EndedRequest[]> {
  const { ended } = gateway.http.usage;
  await expect.poll(() => ended.length).toBe(count);
  return ended;
}

describe('the usage of a chat', () => {
  it.each([false, true])('is what its answer says, streamed: %s', async (stream) => {
    const options = stream ? { stream, stream_options: { include_usage: true } } : {};
    const { body } = await gateway.chat(options).answer();
    const { usage } = stream ? (streamData(body).at(-1) ?? {}) : JSON.parse(body);
    const { prompt_tokens, completion_tokens } = usage as Record<string, number>;
    expect(prompt_tokens).toBeGreaterThan(0);
    const [request] = await recorded();
    expect(request).toMatchObject({
      ...nothing,
      endpoint: CHAT,
      model: 'tiny',
      outcome: 'ok',
      promptTokens: prompt_tokens,
      completionTokens: completion_tokens,
    });
    expect(request?.caller).toMatchObject({ stack: { id: 'shop', account: 'acme' }, key: { id: 'web' } });
    expect(request?.latencyMs).toBeGreaterThan(0);
  });

  it('is recorded without tokens where it was refused before a model was asked', async () => {
    await gateway.post(CHAT, '{"model": ').answer();
    await gateway.chat({ model: 'none' }).answer();
    expect(await recorded(2)).toMatchObject([
      { ...nothing, outcome: 'client', model: undefined },
      { ...nothing, outcome: 'client', model: undefined },
    ]);
  });

  it('distinguishes a ceiling from other refusals', async () => {
    await gateway.chat({}, 'sk-narrow').answer();
    await gateway.chat({}, 'sk-narrow').answer();
    expect(await recorded(2)).toMatchObject([{ outcome: 'ok' }, { ...nothing, outcome: 'limit' }]);
  });

  it('has no tokens where the model failed before its first word', async () => {
    gateway.upstream.script(() => ({ fail: { mode: 'status', status: 400 } }));
    expect((await gateway.chat().answer()).status).toBeGreaterThanOrEqual(400);
    expect(await recorded()).toMatchObject([{ ...nothing, model: 'tiny' }]);
  });

  it('is not recorded for an unknown key', async () => {
    expect((await gateway.chat({}, 'sk-wrong').answer()).status).toBe(401);
    await gateway.chat().answer();
    expect(await recorded()).toHaveLength(1);
  });
});

describe('the usage of a message', () => {
  it.each([false, true])('is what its answer says, streamed: %s', async (stream) => {
    const { body } = await gateway.messages({ stream }).answer();
    const usage = stream
      ? streamData(body)
          .map((event) => (event.type === 'message_delta' ? event.usage : undefined))
          .find((told) => told !== undefined)
      : JSON.parse(body).usage;
    const [request] = await recorded();
    expect(request).toMatchObject({ endpoint: MESSAGES, model: 'tiny', outcome: 'ok' });
    expect(request?.promptTokens).toBeGreaterThan(0);
    expect(request?.completionTokens).toBe((usage as Record<string, number>).output_tokens);
  });

  it('is only the request for a token count', async () => {
    await gateway.count().answer();
    expect(await recorded()).toMatchObject([
      { ...nothing, endpoint: COUNT, outcome: 'ok', model: undefined },
    ]);
  });
});

describe('a server that counts only by writing a token', () => {
  const BUDGET = 10_000;
  const budget = makeCaller({ stack: { id: 'budget' }, limits: { tokensPerDay: BUDGET } });
  beforeEach(async () => {
    await gateway[Symbol.asyncDispose]();
    const callers = { 'sk-a': budget };
    gateway = await TextGateway.start({ upstream: { flavour: 'plain' }, callers });
  });
  const usedTokens = () => gateway.http.limits.budget.shareOf(budget)?.usedHere(performance.now());

  it('is paid for a count once: a cached count costs nothing', async () => {
    expect(JSON.parse((await gateway.count().answer()).body)).toEqual({ input_tokens: 9 });
    expect(usedTokens()).toBe(10);
    await gateway.count().answer();
    expect(await recorded(2)).toMatchObject([
      { ...nothing, endpoint: COUNT, outcome: 'ok', model: 'tiny', promptTokens: 9, completionTokens: 1 },
      { ...nothing, endpoint: COUNT, outcome: 'ok', model: undefined },
    ]);
    expect(usedTokens()).toBe(10);
  });

  it('is paid for the count with which a stream begins', async () => {
    const held = hold();
    gateway.upstream.script(({ bytes }) =>
      bytes.includes('"stream":true') ? { text: 'Hi', beforePiece: () => held.until } : undefined,
    );
    const call = gateway.messages({ stream: true });
    await call.until((received) => received.includes('"input_tokens":9,'));
    held.release();
    await call.answer();
    const [request] = await recorded();
    expect(request).toMatchObject({ endpoint: MESSAGES, promptTokens: 18 });
    expect(usedTokens()).toBe(18 + (request?.completionTokens ?? 0));
  });

  it('does not count for a stack whose budget is used up', async () => {
    gateway.upstream.respond({ fail: 'stall-mid-stream' });
    const spending = gateway.chat({ max_tokens: BUDGET, stream: true });
    await spending.head;
    const { status, body, headers } = await gateway.count().answer();
    expect([status, headers['x-should-retry']]).toEqual([429, 'false']);
    expect(JSON.parse(body)).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    expect(gateway.asked).toHaveLength(1);
    spending.leave();
    await gateway.untilIdle();
  });
});

describe('a prompt that is counted by writing a token, under a budget of money', () => {
  const PRICES = { currency: 'EUR', models: { tiny: { input: 2, output: 10, image: 0 } } };
  const budgets = [{ scope: 'stack', hardMicros: 100_000 }] as const;
  const spender = makeCaller({ budgets });
  const quoting = makeCaller({ stack: { id: 'quoting' }, key: { retrieval: true }, budgets });
  const poor = [{ scope: 'stack', hardMicros: 0 }] as const;
  const reader = { scopes: undefined, allowedIps: undefined, readOnly: true };
  // Its bytes leave open whether it fits beside the answer.
  const long = { messages: [{ role: 'user', content: 'many words '.repeat(500) }] };
  const passages = [foundChunk({ text: 'Words of it. '.repeat(1_000) })];
  beforeEach(async () => {
    await gateway[Symbol.asyncDispose]();
    gateway = await TextGateway.start({
      upstream: { flavour: 'plain' },
      engine: { contextWindow: 12_000 },
      callers: {
        'sk-a': spender,
        'sk-quoting': quoting,
        'sk-poor': makeCaller({ stack: { id: 'poor' }, budgets: poor }),
        'sk-poor-quoting': makeCaller({ stack: { id: 'poor' }, key: { retrieval: true }, budgets: poor }),
        'sk-reader': makeCaller({ key: { restrictions: reader } }),
      },
      retriever: retrieverOn(new FakeSearch(passages)),
      prices: PRICES,
    });
  });
  const spent = (caller: Caller) =>
    gateway.http.limits.money.sharesOf(caller).map(({ share }) => share.usedHere(performance.now()));

  it.each([
    ['long', long, 'sk-a', spender],
    ['quoting', {}, 'sk-quoting', quoting],
  ] as const)('is charged with its answer: %s', async (_what, fields, key, caller) => {
    expect((await gateway.chat(fields, key).answer()).status).toBe(200);
    const [request] = await recorded();
    const { promptTokens = 0, completionTokens = 0, costMicros } = request ?? {};
    expect(gateway.asked.length).toBeGreaterThan(1);
    expect(costMicros).toBe(promptTokens * 2 + completionTokens * 10);
    expect(spent(caller)).toEqual([costMicros]);
  });

  it.each([
    ['long', long, 'sk-poor'],
    ['quoting', {}, 'sk-poor-quoting'],
  ] as const)('is refused where nothing is left: %s', async (_what, fields, key) => {
    const { status, body } = await gateway.chat(fields, key).answer();
    expect([status, JSON.parse(body).error.code]).toEqual([429, 'budget_exceeded']);
    expect(gateway.asked).toEqual([]);
  });

  it('is not counted for a key that may only read', async () => {
    const { status } = await gateway.count({}, 'sk-reader').answer();
    expect([status, gateway.asked]).toEqual([403, []]);
  });
});

describe.each(clientWires)('a stream that ends early: $name', (wire) => {
  it('counts the tokens so far when the client leaves', async () => {
    gateway.upstream.respond({
      text: 'abcdefghijkl',
      beforePiece: (index) => (index === 3 ? forever : undefined),
    });
    const call = wire.ask(gateway, { stream: true });
    await call.until((received) => wire.hasSaid(received, 'efgh') || wire.hasSaid(received, 'abcdefgh'));
    call.leave();
    const [request] = await recorded();
    expect(request).toMatchObject({ outcome: 'gone', completionTokens: 2 });
    expect(request?.promptTokens).toBeGreaterThan(0);
  });

  it('counts the tokens so far when the model server breaks off', async () => {
    gateway.upstream.respond({ text: 'some words to be cut', fail: 'reset-mid-stream' });
    const { status, body } = await wire.ask(gateway, { stream: true }).answer();
    expect([status, body.includes('some')]).toEqual([200, true]);
    const [request] = await recorded();
    expect(request).toMatchObject({ outcome: 'server' });
    expect(request?.promptTokens).toBeGreaterThan(0);
    expect(request?.completionTokens).toBeGreaterThan(0);
  });

  it('counts the prompt when the client leaves before the first word', async () => {
    gateway.upstream.respond({ text: 'never', beforePiece: () => forever });
    const call = wire.ask(gateway, { stream: true });
    await gateway.upstream.until(() => gateway.asked.length === 1);
    call.leave();
    const [request] = await recorded();
    expect(request).toMatchObject({ outcome: 'gone', completionTokens: 0 });
    expect(request?.promptTokens).toBeGreaterThan(0);
  });
});

describe.each(clientWires)('an answer in one piece: $name', (wire) => {
  it('is taken for as long as the time that the client waited before it left', async () => {
    gateway.upstream.respond({ text: 'never', beforePiece: () => forever });
    const call = wire.ask(gateway);
    await gateway.upstream.until(() => gateway.asked.length === 1);
    call.leave();
    const [request] = await recorded();
    expect(request).toMatchObject({ outcome: 'gone' });
    expect(request?.promptTokens).toBeGreaterThan(0);
    expect(request?.completionTokens).toBeGreaterThan(0);
  });
});
