import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  type ReplyPlan,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { countPromptTokens } from '../../../../testing/fake-upstream/prompt-tokens.mjs';
import { answerOf, collectReply } from '../../../../testing/text/engine-answers.ts';
import { describeTextEngine } from '../../../../testing/text/engine-contract.ts';
import { conversationOf, sampleConversations } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf } from '../../../../testing/text/engine-events.ts';
import {
  closeWhole,
  failureOf,
  type OpenAiEngineSettings,
  openAiEngineFor,
} from '../../../../testing/text/engine-openai.ts';
import { Secret } from '../../../config/secret.ts';
import type { Conversation } from '../../conversation.ts';
import type { Reply } from '../../reply.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const CHAT = '/v1/chat/completions';
const image = { type: 'image', mediaType: 'image/png', base64: 'iVBORw0K', name: 'a.png' } as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;

let upstream: FakeUpstream;
let engine: OpenAiEngine;

async function start(options: FakeUpstreamOptions = {}, settings: OpenAiEngineSettings = {}): Promise<void> {
  upstream = await startFakeUpstream(options);
  engine = openAiEngineFor([upstream], settings);
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
}

const counting = { signal: never, countFirst: true };
const plain = { signal: never, countFirst: false };

for (const flavour of ['vllm', 'llama-server', 'plain'] as const) {
  describeTextEngine(`openai before ${flavour}`, async () => {
    await start({ flavour });
    return { engine, [Symbol.asyncDispose]: () => closeWhole(engine, [upstream]) };
  });
}

describe('the body of a request', () => {
  afterEach(async () => {
    await closeWhole(engine, [upstream]);
    await upstream.close();
  });

  async function bodyOf(conversation: Conversation): Promise<unknown> {
    await eventsOf(answerOf(engine, conversation, plain));
    return upstream.requests.findLast(({ path }) => path === CHAT)?.body;
  }

  it('has only the requested fields, and always model, messages, sampling and streaming', async () => {
    await start();
    const conversation = conversationOf({ sampling: { temperature: undefined, seed: undefined } });
    expect(await bodyOf(conversation)).toEqual({
      model: 'fake-model',
      messages: [{ role: 'user', content: 'Say hello.' }],
      temperature: 0.7,
      top_p: 1,
      max_tokens: 64,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has every field of the closed list if requested', async () => {
    await start();
    const body = await bodyOf(
      conversationOf({
        system: 'Be brief.',
        tools: [
          { name: 'a', description: 'A.', parameters: { type: 'object' }, strict: true },
          { name: 'b', description: undefined, parameters: undefined, strict: false },
        ],
        toolChoice: { name: 'a' },
        parallelToolCalls: false,
        output: { type: 'schema', name: 'form', schema: { type: 'object' } },
        templateArguments: { enable_thinking: true },
        sampling: {
          topP: 0.5,
          topK: 4,
          stop: ['X'],
          seed: 3,
          presencePenalty: 1,
          frequencyPenalty: -1,
          temperature: 0.2,
        },
      }),
    );
    expect(body).toEqual({
      model: 'fake-model',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say hello.' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'a', description: 'A.', parameters: { type: 'object' }, strict: true },
        },
        { type: 'function', function: { name: 'b', parameters: { type: 'object', properties: {} } } },
      ],
      tool_choice: { type: 'function', function: { name: 'a' } },
      parallel_tool_calls: false,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'form', schema: { type: 'object' }, strict: true },
      },
      chat_template_kwargs: { enable_thinking: true },
      temperature: 0.2,
      top_p: 0.5,
      top_k: 4,
      max_tokens: 64,
      stop: ['X'],
      seed: 3,
      presence_penalty: 1,
      frequency_penalty: -1,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  const seen: Conversation = conversationOf({
    output: { type: 'json' },
    turns: [
      { role: 'user', parts: [text('See'), image] },
      { role: 'assistant', text: '', toolCalls: [{ id: 'c', name: 'look', arguments: '' }] },
      { role: 'tool', callId: 'c', parts: [text('here'), image], isError: true },
      { role: 'tool', callId: 'd', parts: [image], isError: false },
      { role: 'user', parts: [text('So?')] },
      { role: 'assistant', text: 'Yes.', toolCalls: [{ id: 'e', name: 'look', arguments: '{}' }] },
      { role: 'tool', callId: 'e', parts: [image], isError: false },
    ],
  });
  const url = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0K' } };

  it('shows images to a model with vision, those of tool results after the results', async () => {
    await start({}, { vision: true });
    expect(await bodyOf(seen)).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'See' }, url] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '[The tool reported an error]\nhere\n[image: follows]' },
        { role: 'tool', tool_call_id: 'd', content: '[image: follows]' },
        { role: 'user', content: [url, url, { type: 'text', text: 'So?' }] },
        { role: 'assistant', content: 'Yes.' },
        { role: 'tool', tool_call_id: 'e', content: '[image: follows]' },
        { role: 'user', content: [url] },
      ],
    });
  });

  it('has no bytes of images for a model without vision', async () => {
    await start();
    expect(await bodyOf(seen)).toMatchObject({
      messages: [{ content: 'See\n[image: a.png]' }, {}, {}, {}, {}, {}, {}],
    });
    expect(upstream.requests.at(-1)?.bytes.toString()).not.toContain('iVBOR');
  });

  it('carries the key, and text in UTF-8 of the right length', async () => {
    await start({ apiKey: 'sk-1' }, { apiKey: new Secret('sk-1') });
    const said = conversationOf({ system: 'Grüße 🙂', turns: [] });
    expect(await bodyOf(said)).toMatchObject({ messages: [{ role: 'system', content: 'Grüße 🙂' }] });
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-1');
  });
});

describe('counting', () => {
  afterEach(async () => {
    await closeWhole(engine, [upstream]);
    await upstream.close();
  });

  const paths = () =>
    upstream.requests.map(({ path }) => path).filter((path) => path !== '/v1/models' && path !== '/props');
  const withImage = conversationOf({ turns: [{ role: 'user', parts: [text('See'), image] }] });

  for (const [tokenize, flavour] of [
    ['vllm', 'vllm'],
    ['llama-server', 'llama-server'],
    ['probe', 'plain'],
    ['auto', 'vllm'],
    ['auto', 'llama-server'],
    ['auto', 'plain'],
  ] as const) {
    it(`by ${tokenize} with ${flavour} gives the same number as usage`, async () => {
      await start({ flavour }, { tokenize, vision: true });
      for (const conversation of [...Object.values(sampleConversations), withImage]) {
        const counted = await engine.countTokens(conversation, never);
        const { usage } = await collectReply(answerOf(engine, conversation, plain));
        expect(counted).toBe(usage.promptTokens);
        const sent = upstream.requests.findLast(({ path }) => path === CHAT)?.body;
        expect(counted).toBe(countPromptTokens(sent ?? {}));
      }
    });
  }

  it('remembers the method that works, and the counts', async () => {
    await start({ flavour: 'llama-server' });
    await engine.countTokens(conversationOf(), never);
    expect(paths()).toEqual(['/tokenize', '/apply-template', '/tokenize']);
    await engine.countTokens(conversationOf({ sampling: { temperature: 1 } }), never);
    expect(paths()).toHaveLength(3);
    await engine.countTokens(conversationOf({ system: 'x' }), never);
    expect(paths().slice(3)).toEqual(['/apply-template', '/tokenize']);
  });

  it('shares one call among concurrent callers, and aborts it when all of them leave', async () => {
    await start();
    const leave = new AbortController();
    const leaver = engine.countTokens(conversationOf(), leave.signal);
    const stayers = Array.from({ length: 20 }, () => engine.countTokens(conversationOf(), never));
    leave.abort(new Error('left'));
    await expect(leaver).rejects.toThrow('left');
    expect(new Set(await Promise.all(stayers)).size).toBe(1);
    expect(paths()).toEqual(['/tokenize']);
    upstream.script(({ path }) => (path === '/tokenize' ? { fail: 'stall-before-headers' } : undefined));
    const abort = new AbortController();
    const lonely = engine.countTokens(conversationOf({ system: 'other' }), abort.signal);
    const gone = upstream.clientGone(AbortSignal.timeout(60_000));
    await upstream.until(({ requests }) => requests.filter(({ path }) => path === '/tokenize').length === 2);
    abort.abort(new Error('left'));
    await expect(lonely).rejects.toThrow('left');
    expect((await gone).path).toBe('/tokenize');
  });

  it('uses another method when the proven one fails, and the first again when it works', async () => {
    await start();
    let isBroken = true;
    upstream.script(({ path }) => (path === '/tokenize' && isBroken ? { fail: 'status' } : undefined));
    const first = await engine.countTokens(conversationOf(), never);
    expect(paths()).toEqual(['/tokenize', '/apply-template', CHAT]);
    isBroken = false;
    upstream.script(({ path, body }) =>
      path === CHAT && JSON.stringify(body).includes('"max_tokens":1,') ? { fail: 'status' } : undefined,
    );
    expect(await engine.countTokens(conversationOf({ templateArguments: { a: 1 } }), never)).toBeGreaterThan(
      first,
    );
    expect(paths().slice(3)).toEqual([CHAT, '/tokenize']);
  });

  it('in parallel with an answer delays only the start', async () => {
    await start();
    let letCount = () => {};
    const mayCount = new Promise<void>((resolve) => {
      letCount = resolve;
    });
    upstream.script(async ({ path }) => {
      if (path === '/tokenize') await mayCount;
      return undefined;
    });
    const stream = answerOf(engine, conversationOf(), counting)[Symbol.asyncIterator]();
    const first = stream.next();
    await upstream.until(({ requests }) =>
      requests.some((request) => request.path === CHAT && request.sentPieces > 5),
    );
    letCount();
    const batch = (await first).value ?? [];
    expect(batch[0]).toMatchObject({ type: 'start', promptTokens: expect.any(Number) });
    expect(batch.length).toBeGreaterThan(2);
    await stream.return?.();
  });

  it('that fails by every method falls back to the usage of the first chunk, or fails', async () => {
    await start();
    const isProbe = (body: unknown) => JSON.stringify(body ?? {}).includes('"stream":false');
    let plan: ReplyPlan = { fail: 'usage-in-every-chunk' };
    upstream.script(({ path, body }) => {
      if (path === '/v1/models') return undefined;
      return path === CHAT && !isProbe(body) ? plan : { fail: 'status' };
    });
    const events = await eventsOf(answerOf(engine, conversationOf(), counting));
    const sent = upstream.requests.findLast(({ path, body }) => path === CHAT && !isProbe(body))?.body;
    expect(events[0]).toEqual({ type: 'start', promptTokens: countPromptTokens(sent ?? {}) });
    plan = { usage: {} };
    const { fault, events: none } = await failureOf(answerOf(engine, conversationOf(), counting));
    expect([fault.code, none]).toEqual(['engine-failed', []]);
  });
});

describe('an answer in one piece', () => {
  afterEach(async () => {
    await closeWhole(engine, [upstream]);
    await upstream.close();
  });

  const plans: Readonly<Record<string, ReplyPlan>> = {
    'a text': { text: ['Grüß', ' dich, ', '"Welt"\n'] },
    'thoughts and a text': { reasoning: 'Hm.', text: 'Yes.' },
    'calls of tools': {
      text: 'Wait.',
      toolCalls: [
        { name: 'a', arguments: '{"x": 1}' },
        { name: 'b', arguments: '{}' },
      ],
    },
    'an answer that was cut off': { text: 'So', finishReason: 'length' },
  };

  it.each(Object.entries(plans))('equals the collected stream: %s', async (_, plan) => {
    await start({}, { made: { newCallId: () => 'call_1' } });
    upstream.script(({ path }) => (path === CHAT ? plan : undefined));
    const conversation = conversationOf({ sampling: { maxTokens: 1_000 } });
    const streamed = await collectReply(answerOf(engine, conversation, plain));
    const whole = await collectReply(answerOf(engine, conversation, { ...plain, inOnePiece: true }));
    expect(withoutIds(whole)).toEqual(withoutIds(streamed));
    const bodies = upstream.requests.filter(({ path }) => path === CHAT).map(({ body }) => body);
    expect(bodies).toEqual([
      expect.objectContaining({ stream: true }),
      expect.not.objectContaining({ stream: true }),
    ]);
  });

  it('is stopped at the server when its signal aborts', async () => {
    await start();
    upstream.script(({ path }) => (path === CHAT ? { fail: 'stall-before-headers' } : undefined));
    const leave = new AbortController();
    const options = { signal: leave.signal, countFirst: false, inOnePiece: true };
    const leaver = collectReply(answerOf(engine, conversationOf(), options));
    await upstream.until(({ requests }) => requests.some(({ path }) => path === CHAT));
    const gone = upstream.clientGone(AbortSignal.timeout(60_000));
    leave.abort(new Error('left'));
    await expect(leaver).rejects.toThrow('left');
    expect((await gone).path).toBe(CHAT);
  });

  const breakages = [
    'garbage-json',
    'truncated-body',
    'reset-mid-stream',
    'status',
    'no-finish-reason',
  ] as const;
  it.each(breakages)('that is broken is a failure: %s', async (fail) => {
    await start();
    upstream.script(({ path }) => (path === CHAT ? { fail } : undefined));
    const { fault } = await failureOf(answerOf(engine, conversationOf(), { ...plain, inOnePiece: true }));
    expect(fault.code).toBe('engine-failed');
  });

  function withoutIds({ blocks, ...rest }: Reply): unknown {
    return {
      ...rest,
      blocks: blocks.map(({ block, text: said }) => ({ said, ...block, id: 'id' in block })),
    };
  }
});

describe('the context window', () => {
  afterEach(async () => {
    await closeWhole(engine, [upstream]);
    await upstream.close();
  });

  it('is the configured one, or the server’s', async () => {
    await start({ contextWindow: 4_096 }, { contextWindow: 999 });
    expect(engine.contextWindow).toBe(999);
    await closeWhole(engine, [upstream]);
    for (const flavour of ['vllm', 'llama-server'] as const) {
      await start({ contextWindow: 4_096, flavour });
      expect(engine.contextWindow).toBe(4_096);
      await closeWhole(engine, [upstream]);
    }
    await start({ contextWindow: 4_096, flavour: 'plain' });
    expect(engine.contextWindow).toBeUndefined();
  });
});
