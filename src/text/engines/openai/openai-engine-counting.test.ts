import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { CountingClock, HeldClock } from '../../../../testing/bad-child/clocks.ts';
import { FakeMeter } from '../../../../testing/fake-meter.ts';
import {
  type FakeUpstream,
  type RecordedRequest,
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
import { hold as held } from '../../../../testing/text/held.ts';
import { Fault } from '../../../faults/fault.ts';
import { LeasedBytes } from '../../../lib/leased-bytes.ts';
import { unreadConversation } from '../../passthrough.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const soon = () => AbortSignal.timeout(60_000);
const CHAT = '/v1/chat/completions';
const TOKENIZE = '/tokenize';

let upstream: FakeUpstream;
let engine: OpenAiEngine;
let clock: CountingClock;

async function start(settings: OpenAiEngineSettings = {}): Promise<void> {
  clock = new CountingClock();
  upstream = await startFakeUpstream();
  engine = openAiEngineFor([upstream], { ...settings, made: { clock, ...settings.made } });
  await engine.lifecycle.ready(soon());
}

afterEach(async () => {
  await closeWhole(engine, [upstream], clock);
  await upstream.close();
});

const count = (stackId: string, system: string) =>
  engine.countTokens(conversationOf({ system }), never, { stackId });
const isCount = ({ path }: RecordedRequest) => path === TOKENIZE;

describe('slow counts', () => {
  /** The names of the prompts whose counts arrived. */
  const arrived = () =>
    upstream.requests.filter(isCount).map(({ bytes }) => /[abc]\d+/.exec(bytes.toString())?.[0]);
  const arrivedUntil = (number: number) => upstream.until(() => arrived().length >= number, soon());

  const checks = () => upstream.requests.filter(({ path }) => path === '/v1/models').length;
  async function untilChecked(): Promise<void> {
    const before = checks();
    await upstream.until(() => checks() >= before + 3, soon());
  }

  /** Holds all counts of a stack until each is released. */
  function hold(stack: string): (name: string) => void {
    const letGo = new Map<string, () => void>();
    upstream.script(async (request) => {
      const name = /[abc]\d+/.exec(request.bytes.toString())?.[0];
      if (isCount(request) && name?.startsWith(stack) === true)
        await new Promise<void>((resolve) => letGo.set(name, resolve));
      return undefined;
    });
    return (name) => letGo.get(name)?.();
  }

  it('delay neither health checks nor the counts of another stack', async () => {
    await start({ made: { limits: { sweepMs: 5, checkEveryMs: 20 } } });
    hold('a');
    const held = Promise.allSettled(Array.from({ length: 60 }, (_, index) => count('a', `a${index}`)));
    await arrivedUntil(24);
    await untilChecked();
    expect(engine.lifecycle.state).toBe('ready');
    expect(await count('b', 'b1')).toBeGreaterThan(0);
    expect(arrived()).toHaveLength(25);
    await engine.close();
    expect((await held).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('delay no check when they and a schema probe use all other connections', async () => {
    await start({ made: { limits: { countsPerServer: 2, sweepMs: 5, checkEveryMs: 20 } } });
    const isSchemaProbe = ({ bytes }: RecordedRequest) => bytes.includes('plimquonset');
    upstream.script(async (request) => {
      if (request.path === '/v1/models') return undefined;
      if (isCount(request) || isSchemaProbe(request)) await new Promise(() => undefined);
      return { fail: { mode: 'status', status: 400 } };
    });
    const output = { type: 'schema', name: 'any', schema: { type: 'object' } } as const;
    const answer = eventsOf(
      answerOf(engine, conversationOf({ output }), { signal: never, countFirst: false }),
    );
    const held = Promise.allSettled([count('a', 'a1'), count('b', 'b1'), answer]);
    await upstream.until(({ requests }) => requests.some(isSchemaProbe) && arrived().length === 2, soon());
    await untilChecked();
    expect(engine.lifecycle.state).toBe('ready');
    await engine.close();
    await held;
  });

  it('wait in turn among stacks, with limits per stack and in total', async () => {
    const limits = { countsPerServer: 4, countsWaiting: 3, countsWaitingPerStack: 2 };
    await start({ made: { limits } });
    const letGo = hold('');
    const names = ['a1', 'a2', 'a3', 'a4', 'a5'];
    const counts = names.map((name) => count('a', name));
    await arrivedUntil(3);
    const refusal = { code: 'too-many-counts', status: 503, retryAfterSeconds: 2 };
    await expect(count('a', 'a6')).rejects.toMatchObject(refusal);
    counts.push(count('b', 'b1'));
    await arrivedUntil(4);
    counts.push(count('b', 'b2'));
    await expect(count('c', 'c1')).rejects.toMatchObject(refusal);
    expect(arrived()).toEqual(['a1', 'a2', 'a3', 'b1']);
    for (const [index, name] of ['a1', 'a2', 'a3', 'b1', 'b2', 'a4', 'a5'].entries()) {
      await arrivedUntil(Math.min(7, 4 + index));
      letGo(name);
    }
    for (const counted of await Promise.all(counts)) expect(counted).toBeGreaterThan(0);
    expect(arrived()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'a4', 'a5']);
  });

  it('keep the bytes of a large prompt until they end, also those of a request that is over', async () => {
    await start();
    const letGo = hold('a');
    const messages = Buffer.concat([
      Buffer.from(JSON.stringify({ role: 'user', content: 'a1'.padEnd(20_000, 'x') })),
    ]);
    const lease = new LeasedBytes(messages);
    const ofRequest = lease.hold();
    const read = conversationOf();
    const lists = { messages, tools: Buffer.alloc(0), isLasting: true, lease, hash: 'a1' };
    const asked = unreadConversation(read, { ...lists, read: () => read });
    const counted = engine.countTokens(asked.conversation, never, {
      stackId: 'a',
      passthrough: asked.passthrough,
    });
    await arrivedUntil(1);
    ofRequest[Symbol.dispose]();
    expect(messages.length).toBeGreaterThan(20_000);
    letGo('a1');
    expect(await counted).toBeGreaterThan(0);
    expect(messages).toHaveLength(0);
  });

  it('leave the queue with their caller, and after a time-out', async () => {
    const held = new HeldClock();
    const limits = { countsPerServer: 1, countTimeoutMs: 15_000, checkEveryMs: 1_000_000 };
    await start({ made: { clock: held, limits } });
    hold('a');
    const first = count('a', 'a1');
    await arrivedUntil(1);
    const leave = new AbortController();
    const leaver = engine.countTokens(conversationOf({ system: 'b1' }), leave.signal, { stackId: 'b' });
    const late = count('c', 'c1');
    leave.abort(new Error('left'));
    await expect(leaver).rejects.toThrow('left');
    const isLate = expect(late).rejects.toMatchObject({ code: 'engine-timeout' });
    // The call of the first is ended by the sweep after its time.
    held.pass(15_250);
    await isLate;
    // The delayed count has used another method.
    expect(await first).toBeGreaterThan(0);
    expect(arrived()).toEqual(['a1']);
    // The timer of the sweep.
    expect(held.pending).toBe(1);
  });

  it('fail a stream that must begin with a count, with the reason', async () => {
    await start({ made: { limits: { countsPerServer: 1, countsWaiting: 0 } } });
    const letGo = hold('a');
    const first = count('a', 'a1');
    await arrivedUntil(1);
    upstream.respond({ usage: {} });
    const { fault } = await failureOf(
      answerOf(engine, conversationOf({ system: 'b1' }), { signal: never, stackId: 'b', countFirst: true }),
    );
    expect(fault.code).toBe('too-many-counts');
    letGo('a1');
    await first;
  });
});

describe('one count for two requests', () => {
  const refusal = new Fault('key-read-only', 'This key may only read.');

  it('is made for the one that may pay for it, where the one that began it may not', async () => {
    await start({ tokenize: 'probe' });
    const asked = conversationOf({ system: 'shared' });
    const [begun, refused] = [held(), held()];
    const reserveTokens = async () => {
      begun.release();
      await refused.until;
      throw refusal;
    };
    const first = engine.countTokens(asked, never, {
      stackId: 'a',
      meter: { reserveTokens, add: () => {} },
    });
    await begun.until;
    const paying = new FakeMeter();
    const second = engine.countTokens(asked, never, { stackId: 'a', meter: paying });
    refused.release();
    await expect(first).rejects.toBe(refusal);
    expect(await second).toBe(paying.used.promptTokens);
    expect(paying.reserved).toHaveLength(1);
  });
});

describe('a tokenizer that fails', () => {
  const paths = () => upstream.requests.map(({ path }) => path).filter((path) => path !== '/v1/models');
  /** The path of each count. */
  async function ways(system: string): Promise<readonly string[]> {
    const before = paths().length;
    await count('a', system);
    return paths().slice(before);
  }

  it('once is tried again after a while', async () => {
    const held = new HeldClock();
    await start({ tokenize: 'vllm', made: { clock: held, limits: { checkEveryMs: 1_000_000 } } });
    expect(await ways('1')).toEqual([TOKENIZE]);
    upstream.script((request) => (isCount(request) ? { fail: 'status' } : undefined));
    expect(await ways('2')).toEqual([TOKENIZE, CHAT]);
    expect(await ways('3')).toEqual([CHAT]);
    held.pass(10_000);
    expect(await ways('4')).toEqual([TOKENIZE, CHAT]);
    expect(await ways('5')).toEqual([CHAT]);
    upstream.script(() => undefined);
    held.pass(10_000);
    expect(await ways('6')).toEqual([TOKENIZE]);
    expect(await ways('7')).toEqual([TOKENIZE]);
  });

  it('together with the whole server is used again as soon as the server is back', async () => {
    await start({ tokenize: 'vllm' });
    expect(await ways('1')).toEqual([TOKENIZE]);
    upstream.script(({ path }) => (path === '/v1/models' ? undefined : { fail: 'status' }));
    await expect(ways('2')).rejects.toMatchObject({ code: 'engine-failed' });
    upstream.script(() => undefined);
    expect(await ways('3')).toEqual([TOKENIZE]);
  });

  it('by refusing one prompt still counts the next', async () => {
    await start({ tokenize: 'vllm' });
    expect(await ways('1')).toEqual([TOKENIZE]);
    const refusal = { fail: { mode: 'status', status: 400 } } as const;
    upstream.script((request) =>
      isCount(request) && /odd/.test(request.bytes.toString()) ? refusal : undefined,
    );
    expect(await ways('odd')).toEqual([TOKENIZE, CHAT]);
    expect(await ways('2')).toEqual([TOKENIZE]);
  });
});
