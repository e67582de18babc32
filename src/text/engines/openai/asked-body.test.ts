import { afterEach, describe, expect, it } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf } from '../../../../testing/text/engine-events.ts';
import { closeWhole, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const { signal } = new AbortController();
const CHAT = '/v1/chat/completions';
const output = { type: 'schema', name: 'x', schema: { type: 'object' }, isVerified: true } as const;

let upstream: FakeUpstream;
let engine: OpenAiEngine;
afterEach(async () => {
  await closeWhole(engine, [upstream]);
  await upstream.close();
});

/** Whether each chat request so far asked for probabilities. */
const asked = () =>
  upstream.requests
    .filter(({ path }) => path === CHAT)
    .map(({ bytes }) => (JSON.parse(bytes.toString()) as { logprobs?: boolean }).logprobs);

const ask = (tellsProbabilities: boolean) =>
  eventsOf(
    answerOf(engine, conversationOf({ output: { ...output, tellsProbabilities } }), {
      signal,
      countFirst: false,
    }),
  );

describe('the probabilities of an answer', () => {
  it('are asked of the server only where they are wanted, and not again of one that refuses to tell them', async () => {
    upstream = await startFakeUpstream({ flavour: 'vllm' });
    engine = openAiEngineFor([upstream], {});
    await engine.lifecycle.ready(AbortSignal.timeout(60_000));
    await ask(false);
    await ask(true);
    expect(asked()).toEqual([undefined, true]);
    upstream.script(({ path, bytes }) =>
      path === CHAT && bytes.toString().includes('logprobs')
        ? { fail: { mode: 'status', status: 400, param: 'logprobs' } }
        : undefined,
    );
    expect((await ask(true)).at(-1)).toMatchObject({ type: 'finish' });
    expect(asked().slice(2)).toEqual([true, undefined]);
  });
});
