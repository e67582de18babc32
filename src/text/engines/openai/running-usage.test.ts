import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeUpstream,
  type RecordedRequest,
  type ReplyPlan,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf } from '../../../../testing/text/engine-events.ts';
import { closeWhole, failureOf, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const counting = { signal: new AbortController().signal, countFirst: true };
/** The answer has three pieces and ends only after its prompt could be counted. */
const slowly = { paceMs: 10, text: 'Hi' };
const CHAT = '/v1/chat/completions';

let upstream: FakeUpstream;
let engine: OpenAiEngine;
beforeEach(async () => {
  upstream = await startFakeUpstream({ flavour: 'vllm', plan: slowly });
  engine = openAiEngineFor([upstream]);
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
});
afterEach(async () => {
  await closeWhole(engine, [upstream]);
  await upstream.close();
});

/** A new prompt of the same length each time, so that no count is cached. */
let prompts = 100;
const another = () => conversationOf({ system: `Prompt ${++prompts}` });
const answer = () => eventsOf(answerOf(engine, another(), counting));

const untold = ({ path }: RecordedRequest): ReplyPlan | undefined =>
  path === CHAT ? { ...slowly, fail: 'usage-at-the-end' } : undefined;

/** The requests that `work` causes: counts, and answers with usage at the end or in every chunk. */
async function askedFor(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = upstream.requests.length;
  await work();
  const requests = upstream.requests.slice(before).flatMap(({ path, bytes }) => {
    if (path === '/tokenize') return 'count';
    if (path !== CHAT) return [];
    return bytes.includes('"continuous_usage_stats":true') ? 'counted chat' : 'chat';
  });
  return requests.sort();
}

describe('a server of vLLM’s kind', () => {
  it('is asked for usage in every chunk after its first count, and not for counts once it sends it', async () => {
    expect(await askedFor(answer)).toEqual(['chat', 'count']);
    expect(await askedFor(answer)).toEqual(['count', 'counted chat']);
    for (const _again of [1, 2, 3]) expect(await askedFor(answer)).toEqual(['counted chat']);
  });

  it('gives the same events either way, with the tokens of the prompt first', async () => {
    const events = [await answer(), await answer(), await answer()];
    expect(events[0]?.[0]).toMatchObject({ type: 'start', promptTokens: expect.any(Number) });
    expect(events[1]).toEqual(events[0]);
    expect(events[2]).toEqual(events[0]);
  });

  it('that sends it only at the end is asked for counts as before, and not for usage again', async () => {
    await answer();
    upstream.script(untold);
    expect(await askedFor(answer)).toEqual(['count', 'counted chat']);
    expect(await askedFor(answer)).toEqual(['chat', 'count']);
  });

  it('that stops sending it is asked for a count during the answer, of which nothing is lost', async () => {
    const [first] = [await answer(), await answer()];
    upstream.script(untold);
    expect(await askedFor(async () => expect(await answer()).toEqual(first))).toEqual([
      'count',
      'counted chat',
    ]);
    expect(await askedFor(answer)).toEqual(['chat', 'count']);
  });

  it('that does not know the option gets the same request without it, and never again with it', async () => {
    const first = await answer();
    upstream.script(({ path, bytes }) =>
      path === CHAT && bytes.includes('continuous_usage_stats')
        ? { fail: { mode: 'status', status: 400, param: 'stream_options.continuous_usage_stats' } }
        : undefined,
    );
    const again = async () => expect(await answer()).toEqual(first);
    expect(await askedFor(again)).toEqual(['chat', 'count', 'counted chat']);
    expect(await askedFor(again)).toEqual(['chat', 'count']);
  });

  it('that repeats its refusal without the option fails the request', async () => {
    await answer();
    const param = 'continuous_usage_stats';
    upstream.script(({ path }) =>
      path === CHAT ? { fail: { mode: 'status', status: 400, param } } : undefined,
    );
    const refused = async () =>
      expect((await failureOf(answerOf(engine, another(), counting))).fault.code).toBe('engine-refused');
    expect((await askedFor(refused)).filter((what) => what !== 'count')).toEqual(['chat', 'counted chat']);
  });

  it('that refuses for another reason fails the request, and is still asked for usage', async () => {
    await answer();
    upstream.respond({ fail: { mode: 'status', status: 400 } });
    expect((await failureOf(answerOf(engine, another(), counting))).fault.code).toBe('engine-refused');
    expect(await askedFor(answer)).toEqual(['count', 'counted chat']);
  });

  it('that fails before its first chunk fails the answer before its start', async () => {
    await answer();
    await answer();
    upstream.respond({ fail: 'status' });
    const { fault, events } = await failureOf(answerOf(engine, another(), counting));
    expect([fault.code, events]).toEqual(['engine-failed', []]);
  });

  it('is not asked for it if the answer need not begin with a count', async () => {
    await answer();
    await answer();
    const plain = { ...counting, countFirst: false };
    expect(await askedFor(() => eventsOf(answerOf(engine, another(), plain)))).toEqual(['chat']);
    const whole = { ...counting, inOnePiece: true };
    expect(await askedFor(() => eventsOf(answerOf(engine, another(), whole)))).not.toContain('counted chat');
  });
});

describe('a server of another kind', () => {
  it('is never asked for it', async () => {
    const plain = await startFakeUpstream({ flavour: 'llama-server' });
    const other = openAiEngineFor([plain]);
    await other.lifecycle.ready(AbortSignal.timeout(60_000));
    for (const _again of [1, 2, 3]) await eventsOf(answerOf(other, another(), counting));
    expect(plain.requests.some(({ bytes }) => bytes.includes('continuous_usage_stats'))).toBe(false);
    await closeWhole(other, [plain]);
    await plain.close();
  });
});
