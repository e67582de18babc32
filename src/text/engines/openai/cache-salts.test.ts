import { afterEach, describe, expect, it } from 'vitest';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf } from '../../../../testing/text/engine-events.ts';
import {
  closeWhole,
  failureOf,
  type OpenAiEngineSettings,
  openAiEngineFor,
} from '../../../../testing/text/engine-openai.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const { signal } = new AbortController();
const streamed = { signal, countFirst: false };
const whole = { ...streamed, inOnePiece: true };
const CHAT = '/v1/chat/completions';
const image = { type: 'image', mediaType: 'image/png', base64: 'AAAA', name: undefined } as const;

let upstream: FakeUpstream;
let engine: OpenAiEngine;
afterEach(async () => {
  await closeWhole(engine, [upstream]);
  await upstream.close();
});

async function start(options: FakeUpstreamOptions = {}, settings: OpenAiEngineSettings = {}): Promise<void> {
  upstream = await startFakeUpstream({ flavour: 'vllm', ...options });
  engine = openAiEngineFor([upstream], settings);
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
}

/** The salts of all chat requests so far. */
const salts = () =>
  upstream.requests
    .filter(({ path }) => path === CHAT)
    .map(({ bytes }) => (JSON.parse(bytes.toString()) as { cache_salt?: string }).cache_salt);
const ask = (cacheScope: string | undefined, options: typeof whole | typeof streamed = streamed) =>
  eventsOf(answerOf(engine, conversationOf({ cacheScope }), options));
const refusing = (isRefused: (text: string) => boolean) =>
  upstream.script(({ path, bytes }) =>
    path === CHAT && isRefused(bytes.toString())
      ? { fail: { mode: 'status', status: 400, param: 'cache_salt' } }
      : undefined,
  );

describe('a server that says that it is vLLM', () => {
  it('gets the scope of a conversation as its salt from the first request on, streamed or not', async () => {
    await start();
    await ask('shop');
    await ask('other', whole);
    await ask(undefined);
    expect(salts()).toEqual(['shop', 'other', undefined]);
  });

  it('that refuses it by name gets the same request without it, and no salt any more', async () => {
    await start();
    refusing((text) => text.includes('cache_salt'));
    const first = await ask('shop');
    expect(await ask('shop')).toEqual(first);
    expect(salts()).toEqual(['shop', undefined, undefined]);
  });

  it('that also refuses the request without it gets a salt with the next one', async () => {
    await start();
    refusing(() => true);
    const { fault } = await failureOf(answerOf(engine, conversationOf({ cacheScope: 'shop' }), streamed));
    expect(fault.code).toBe('engine-refused');
    refusing(() => false);
    await ask('shop');
    expect(salts()).toEqual(['shop', undefined, 'shop']);
  });

  it('gets it with a probe as well', async () => {
    await start({}, { vision: true });
    const turns = [{ role: 'user', parts: [image] }] as const;
    const conversation = conversationOf({ turns, cacheScope: 'shop' });
    await engine.countTokens(conversation, signal);
    refusing((text) => text.includes('cache_salt'));
    await engine.countTokens({ ...conversation, cacheScope: 'other' }, signal);
    expect(salts()).toEqual(['shop', 'other', undefined]);
  });

  it('counts the same prompt once for each scope', async () => {
    await start();
    for (const cacheScope of ['shop', 'other', 'shop', 'other'])
      await engine.countTokens(conversationOf({ cacheScope }), signal);
    expect(upstream.requests.filter(({ path }) => path === '/tokenize')).toHaveLength(2);
  });
});

describe('any other server', () => {
  it('gets no salt', async () => {
    await start({ flavour: 'llama-server' });
    await ask('shop');
    await engine.countTokens(conversationOf({ cacheScope: 'shop' }), signal);
    await ask('shop', whole);
    expect(salts()).toEqual([undefined, undefined]);
  });

  it('gets one if it is configured with vLLM’s tokenizer', async () => {
    await start({ flavour: 'llama-server' }, { tokenize: 'vllm' });
    await ask('shop');
    expect(salts()).toEqual(['shop']);
  });
});
