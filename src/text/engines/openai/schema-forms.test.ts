import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../../testing/bad-child/clocks.ts';
import {
  type FakeUpstream,
  type RecordedRequest,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf, collectReply } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { closeWhole, failureOf, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import {
  isProbe,
  type SchemaTraits,
  type SentForm,
  schemaScript,
  sentForm,
} from '../../../../testing/text/schema-server.ts';
import type { CompleteOutput, OutputOrigin } from '../../complete-outputs.ts';
import type { Conversation } from '../../conversation.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
const plain = { signal: never, countFirst: false };
const CHAT = '/v1/chat/completions';
const MINUTE_MS = 60_000;

let upstreams: FakeUpstream[];
let traits: SchemaTraits[];
let engine: OpenAiEngine;
let clock: HeldClock;
let probes: number;
let checked: (CompleteOutput & OutputOrigin)[];

/** Servers with these traits, and an engine that uses them. */
async function serve(...given: readonly SchemaTraits[]): Promise<void> {
  traits = [...given];
  for (const index of given.keys()) {
    const upstream = await startFakeUpstream();
    upstream.script(schemaScript(() => traits[index] ?? { holds: [] }));
    upstreams.push(upstream);
  }
  const made = {
    clock,
    onProbe: () => {
      probes += 1;
    },
    checkOutput: (output: CompleteOutput & OutputOrigin) => void checked.push(output),
  };
  engine = openAiEngineFor(upstreams, { made });
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
}

beforeEach(() => {
  clock = new HeldClock();
  upstreams = [];
  checked = [];
  probes = 0;
});
afterEach(async () => {
  await closeWhole(engine, upstreams, clock);
  for (const upstream of upstreams) await upstream.close();
});

function asking(property: string, isVerified?: true): Conversation {
  const schema = { type: 'object', properties: { [property]: { type: 'integer' } }, required: [property] };
  const output = { type: 'schema', name: 'answer', schema } as const;
  return conversationOf({ system: 'Be brief.', output: isVerified ? { ...output, isVerified } : output });
}
const good = asking('good');
const bad = asking('bad');

async function answerTo(conversation: Conversation): Promise<string | undefined> {
  return (await collectReply(answerOf(engine, conversation, plain))).blocks[0]?.text;
}

async function refusalOf(conversation: Conversation): Promise<string> {
  return (await failureOf(answerOf(engine, conversation, plain))).fault.code;
}

/** Advances time until the checks have found this. */
async function untilState(state: string): Promise<void> {
  const passing = () => {
    clock.pass(1_000);
    return engine.lifecycle.state;
  };
  await expect.poll(passing, { timeout: 60_000, interval: 10 }).toBe(state);
}

const chats = (server = 0): readonly RecordedRequest[] =>
  upstreams[server]?.requests.filter(({ path }) => path === CHAT) ?? [];
/** The forms of callers' requests. */
const callerForms = (server = 0): readonly SentForm[] =>
  chats(server)
    .filter((request) => !isProbe(request))
    .map(sentForm);

const vllmOfOld: SchemaTraits = { holds: ['guided_json'], refuses: ['json_schema'] };
const usual: SchemaTraits = { holds: ['json_schema'], refusedPart: '"bad"' };

describe('the form of a schema', () => {
  it.each<[SentForm, SchemaTraits, number]>([
    ['json_schema', { holds: ['json_schema'] }, 0],
    ['guided_json', vllmOfOld, 2],
    ['structured_outputs', { holds: ['structured_outputs'], refuses: ['json_schema'] }, 3],
    ['json_object', { holds: ['json_object'], refuses: ['json_schema', 'structured_outputs'] }, 4],
  ])('is the one that the server enforces, probed once: %s', async (form, server, asked) => {
    await serve(server);
    for (const _ of [1, 2]) expect(await answerTo(good)).toBe('{"good":1}');
    expect(probes).toBe(asked);
    expect(callerForms()).toEqual(form === 'json_schema' ? [form, form] : ['json_schema', form, form]);
  });

  it('is text in the prompt if the server accepts no schema', async () => {
    await serve({ holds: ['json_object'], refuses: ['json_schema'] });
    await answerTo(good);
    const text = JSON.stringify(chats().at(-1)?.body);
    expect(text).toContain('Be brief.');
    expect(text).toContain('satisfies this JSON Schema');
  });

  it('is not changed by a refused schema: its caller gets the refusal, and other schemas are enforced as before', async () => {
    await serve(usual);
    expect(await refusalOf(bad)).toBe('engine-refused');
    expect(await answerTo(good)).toBe('{"good":1}');
    expect(callerForms()).toEqual(['json_schema', 'json_schema']);
  });

  it('is probed once a minute at most, however many schemas are refused', async () => {
    await serve(usual);
    await Promise.all([refusalOf(bad), refusalOf(bad), refusalOf(bad)]);
    await refusalOf(bad);
    expect(probes).toBe(1);
    clock.pass(MINUTE_MS);
    await refusalOf(bad);
    expect(probes).toBe(2);
  });

  it('is not probed while answers satisfy their schemas', async () => {
    await serve(usual);
    await answerTo(good);
    checked[0]?.onChecked?.(true);
    expect(await refusalOf(bad)).toBe('engine-refused');
    expect(probes).toBe(0);
  });

  it('is none if the server ignores all others: a caller gets the refusal, not free text', async () => {
    await serve({ holds: [], refuses: ['json_schema'] });
    expect(await refusalOf(good)).toBe('engine-refused');
    expect(await refusalOf(good)).toBe('engine-refused');
    expect(callerForms()).toEqual(['json_schema', 'json_schema']);
    expect(probes).toBe(4);
    traits = [vllmOfOld];
    clock.pass(MINUTE_MS);
    expect(await answerTo(good)).toBe('{"good":1}');
  });

  it('is text in the prompt for a request whose answer is validated, if the server refuses its schema', async () => {
    await serve({ ...usual, holds: ['json_schema', 'json_object'] });
    expect(await answerTo(asking('bad', true))).toBe('{"bad":1}');
    expect(await answerTo(good)).toBe('{"good":1}');
    expect(await refusalOf(bad)).toBe('engine-refused');
    expect(callerForms()).toEqual(['json_schema', 'json_object', 'json_schema', 'json_schema']);
  });

  it('is probed once for concurrent requests', async () => {
    await serve(vllmOfOld);
    const answers = await Promise.all(Array.from({ length: 8 }, () => answerTo(good)));
    expect(new Set(answers)).toEqual(new Set(['{"good":1}']));
    expect(probes).toBe(2);
  });

  it('is separate for each server', async () => {
    await serve(usual, vllmOfOld);
    const answers = await Promise.all(Array.from({ length: 6 }, () => answerTo(good)));
    expect(new Set(answers)).toEqual(new Set(['{"good":1}']));
    await Promise.all(Array.from({ length: 4 }, () => answerTo(good)));
    expect(new Set(callerForms(0))).toEqual(new Set(['json_schema']));
    expect(callerForms(1).at(-1)).toBe('guided_json');
  });

  it('changes when the server refuses the one it accepted before', async () => {
    await serve(vllmOfOld);
    await answerTo(good);
    traits = [{ holds: ['json_schema'], refuses: ['guided_json'] }];
    clock.pass(MINUTE_MS);
    for (const _ of [1, 2]) expect(await answerTo(good)).toBe('{"good":1}');
    expect(callerForms().slice(-3)).toEqual(['guided_json', 'json_schema', 'json_schema']);
  });

  it('is given up when answers no longer satisfy their schemas', async () => {
    await serve(vllmOfOld);
    await answerTo(good);
    traits = [usual];
    expect(await answerTo(good)).toMatch(/hello/);
    checked.at(-1)?.onChecked?.(false);
    // A model may miss a schema once; a recent valid answer counts more.
    expect(await answerTo(good)).toMatch(/hello/);
    clock.pass(MINUTE_MS);
    checked.at(-1)?.onChecked?.(false);
    expect(await answerTo(good)).toBe('{"good":1}');
  });

  it('is forgotten after the server was down', async () => {
    await serve(vllmOfOld);
    await answerTo(good);
    await upstreams[0]?.refuse();
    await untilState('degraded');
    await upstreams[0]?.accept();
    traits = [usual];
    await untilState('ready');
    expect(await answerTo(good)).toBe('{"good":1}');
    expect(callerForms().at(-1)).toBe('json_schema');
  });

  it('is not probed after other failures', async () => {
    await serve(usual);
    upstreams[0]?.script(({ path }) =>
      path === CHAT ? { fail: { mode: 'status', status: 500 } } : undefined,
    );
    expect(await refusalOf(good)).toBe('engine-failed');
    expect(chats()).toHaveLength(1);
  });

  it('is not used for a caller that left meanwhile', async () => {
    await serve(vllmOfOld);
    const leaving = new AbortController();
    upstreams[0]?.script((request) => {
      if (isProbe(request)) leaving.abort();
      return schemaScript(() => vllmOfOld)(request);
    });
    const answer = collectReply(answerOf(engine, good, { signal: leaving.signal, countFirst: false }));
    await expect(answer).rejects.toThrow();
    await expect.poll(() => probes).toBe(2);
    expect(await answerTo(good)).toBe('{"good":1}');
    // The second caller may still meet the refusal: the server counts a probe before the engine has its answer.
    expect(callerForms().filter((form) => form === 'guided_json')).toHaveLength(1);
    expect(callerForms().at(-1)).toBe('guided_json');
  });
});
