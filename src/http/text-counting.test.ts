import { afterEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeSearch, retrieverOn } from '../../testing/knowledge/fake-search.ts';
import { foundChunk } from '../../testing/knowledge/found-chunks.ts';
import { type CorpusRequest, messagesCorpus } from '../../testing/text/messages-corpus.ts';
import { streamData } from '../../testing/text/stream-events.ts';
import type { TextCall } from '../../testing/text/text-call.ts';
import { TextGateway, type TextGatewayOptions } from '../../testing/text/text-gateway.ts';

const ROOMY = 10_000_000;
/**
 * Each recorded request is sent to each server once, and with three of the four settings: these change the prompt, the server
 * only how it is counted.
 */
const settings = [
  { vision: true, retrieval: true },
  { vision: false, retrieval: true },
  { vision: true, retrieval: false },
  { vision: false, retrieval: false },
];
const servers = ['vllm', 'llama-server', 'plain'] as const;
const cases = servers.flatMap((flavour, server) =>
  settings.map((setting, index) => ({ flavour, ...setting, turn: (index + server) % settings.length })),
);

let gateway: TextGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function start(options: TextGatewayOptions = {}): Promise<void> {
  gateway = await TextGateway.start(options);
}

async function json(call: TextCall) {
  const answer = await call.answer();
  expect(answer.status, answer.body.slice(0, 500)).toBe(200);
  return JSON.parse(answer.body);
}

function countRequests(): number {
  return gateway.upstream.requests.filter(({ path }) => path === '/tokenize').length;
}

/** An excerpt has room for five of the six. */
const PASSAGE_TOKENS = 800;
const passages = Array.from({ length: 6 }, (_, position) =>
  foundChunk({ position, text: `Passage ${position}. ${'Words of it. '.repeat(240)}` }),
);

describe('a count', () => {
  it.each(cases)(
    'by a server like $flavour equals the usage of the same call, vision: $vision, retrieval: $retrieval',
    async ({ flavour, vision, retrieval, turn }) => {
      await start({
        upstream: { flavour, contextWindow: ROOMY },
        engine: { vision, contextWindow: ROOMY },
        callers: { 'sk-a': makeCaller({ key: { retrieval } }), 'sk-b': makeCaller() },
        retriever: retrieverOn(new FakeSearch(passages)),
      });
      const sent = messagesCorpus().filter((_, index) => index % settings.length === turn);
      expect(sent.length).toBeGreaterThan(0);
      for (const { name, body } of sent) await expectUsageAsCounted({ name, body, retrieval });
    },
  );
});

/** Asks with key `sk-a` in each format, whole and streamed; the excerpt must be in the count. */
async function expectUsageAsCounted({ name, body, retrieval }: CorpusRequest & { retrieval: boolean }) {
  const { model: _, max_tokens: __, stream: ___, ...counted } = body;
  const { input_tokens: count, ...more } = await json(gateway.post('/v1/messages/count_tokens', counted));
  expect(more).toEqual({});
  expect(count, name).toBeGreaterThan(0);
  const asked = { model: 'any', ...body };
  const plain = await json(gateway.post('/v1/messages', { ...asked, stream: false }, 'sk-b'));
  // Without an excerpt, the upstream gets the same call in the format of chat completions.
  const chat = { ...gateway.lastBody, model: 'tiny', stream: false, stream_options: undefined };
  const quoted = Math.round((count - plain.usage.input_tokens) / PASSAGE_TOKENS);
  expect(quoted, name).toBe(retrieval ? 5 : 0);

  const whole = await json(gateway.post('/v1/messages', { ...asked, stream: false }));
  expect(whole.usage.input_tokens, name).toBe(count);
  const streamed = await gateway.post('/v1/messages', { ...asked, stream: true }).answer();
  const [first, last] = [streamData(streamed.body).at(0), streamData(streamed.body).at(-2)];
  expect(first, name).toMatchObject({ message: { usage: { input_tokens: count, output_tokens: 0 } } });
  expect(last, name).toMatchObject({ usage: { input_tokens: count } });

  expect(await json(gateway.post('/v1/chat/completions', chat)), name).toMatchObject({
    usage: { prompt_tokens: count },
  });
  const withUsage = { ...chat, stream: true, stream_options: { include_usage: true } };
  const streamedChat = await gateway.post('/v1/chat/completions', withUsage).answer();
  expect(streamData(streamedChat.body).at(-1), name).toMatchObject({ usage: { prompt_tokens: count } });
}

describe('count_tokens', () => {
  it('needs neither a model nor max_tokens, and asks nothing of the model', async () => {
    await start();
    expect(await json(gateway.count())).toEqual({ input_tokens: 9 });
    expect(await json(gateway.count({ model: 'any', max_tokens: 5, temperature: 'hot' }))).toEqual({
      input_tokens: 9,
    });
    expect(gateway.asked).toHaveLength(0);
  });

  it('counts the prompt of the stack unless a system text replaces it', async () => {
    const stack = { systemPrompt: 'Be kind to everyone.' };
    await start({ callers: { 'sk-a': makeCaller({ stack }), 'sk-b': makeCaller() } });
    const [with_, without] = [await json(gateway.count()), await json(gateway.count({}, 'sk-b'))];
    expect(with_.input_tokens).toBeGreaterThan(without.input_tokens);
    const replaced = await json(gateway.count({ system: 'No.' }));
    expect(replaced).toEqual(await json(gateway.count({ system: 'No.' }, 'sk-b')));
  });

  it('fails as HTTP when the server cannot be reached', async () => {
    await start();
    await gateway.upstream.refuse();
    const answer = await gateway.count().answer();
    expect(answer.status).toBe(502);
    expect(JSON.parse(answer.body)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
  });
});

describe('the context window', () => {
  /** 1,007 tokens to the fake: its template adds 22 characters, and a start. */
  const messages = [{ role: 'user', content: 'x'.repeat(4000) }];
  const TOKENS = 1_007;
  const ways = [
    ['chat', (stream: boolean, max: number) => gateway.chat({ messages, stream, max_tokens: max })],
    ['messages', (stream: boolean, max: number) => gateway.messages({ messages, stream, max_tokens: max })],
  ] as const;
  const cases = ways.flatMap(([name, ask]) => [true, false].map((stream) => ({ name, ask, stream })));

  it.each(cases)('takes a prompt that fits exactly: $name, stream: $stream', async ({ ask, stream }) => {
    await start({ upstream: { contextWindow: TOKENS + 9000 } });
    const answer = await ask(stream, 9000).answer();
    expect(answer.status, answer.body).toBe(200);
  });

  it.each(cases)('refuses one token more, as HTTP: $name, stream: $stream', async ({ name, ask, stream }) => {
    await start({ upstream: { contextWindow: TOKENS + 9000 - 1 } });
    const answer = await ask(stream, 9000).answer();
    expect(answer.status).toBe(400);
    const { error } = JSON.parse(answer.body);
    expect(error).toMatchObject({
      type: 'invalid_request_error',
      message: 'prompt is too long: 1007 tokens > 1006 maximum',
    });
    if (name === 'chat') expect(error.code).toBe('context_length_exceeded');
    expect(gateway.asked).toHaveLength(0);
  });

  it('counts the floor of max_tokens, not what was asked for', async () => {
    await start({ upstream: { contextWindow: TOKENS + 7999 } });
    const answer = await gateway.chat({ messages, max_tokens: 1 }).answer();
    expect(answer.body).toContain('prompt is too long: 1007 tokens > 1006 maximum');
  });

  it('of the plan applies if it is smaller', async () => {
    const caller = makeCaller({ limits: { contextWindow: 9000 } });
    await start({ upstream: { contextWindow: ROOMY }, callers: { 'sk-a': caller } });
    const answer = await gateway.chat({ messages }).answer();
    expect(answer.body).toContain('prompt is too long: 1007 tokens > 1000 maximum');
  });

  it('is not counted if the number of bytes shows that it fits', async () => {
    await start({ upstream: { contextWindow: 32_768 } });
    await json(gateway.chat({ messages }));
    expect(countRequests()).toBe(0);
  });
});
