import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { CountingClock, HeldClock } from '../../../../testing/bad-child/clocks.ts';
import type { Failure } from '../../../../testing/fake-upstream/failure-modes.mjs';
import {
  type FakeUpstream,
  type FakeUpstreamOptions,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../../../testing/text/engine-events.ts';
import {
  closeWhole,
  failureOf,
  type OpenAiEngineSettings,
  openAiEngineFor,
} from '../../../../testing/text/engine-openai.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
const plain = { signal: never, countFirst: false };
const soon = () => AbortSignal.timeout(60_000);

let upstreams: readonly FakeUpstream[] = [];
let engine: OpenAiEngine;
let clock: CountingClock;

async function start(options: readonly FakeUpstreamOptions[], settings: OpenAiEngineSettings = {}) {
  clock = new CountingClock();
  upstreams = await Promise.all(options.map((option) => startFakeUpstream(option)));
  engine = openAiEngineFor(upstreams, { ...settings, made: { clock, ...settings.made } });
  const [first, second] = upstreams;
  if (first === undefined) throw new Error('no upstream');
  return { first, second: second ?? first };
}

const CHAT = '/v1/chat/completions';
const chats = ({ requests }: FakeUpstream) => requests.filter(({ path }) => path === CHAT).length;
const checks = ({ requests }: FakeUpstream) => requests.filter(({ path }) => path === '/v1/models').length;
const answer = () => eventsOf(answerOf(engine, conversationOf(), plain));

afterEach(async () => {
  await closeWhole(engine, upstreams, clock);
  for (const upstream of upstreams) await upstream.close();
});

describe('several servers', () => {
  it('share the work, the least loaded first', async () => {
    const { first, second } = await start([{}, {}]);
    await engine.lifecycle.ready(soon());
    const abort = new AbortController();
    const { signal } = abort;
    setMaxListeners(0, signal);
    for (const upstream of upstreams) {
      upstream.script(({ path }) => (path === CHAT ? { fail: 'stall-mid-stream' } : undefined));
    }
    const hold = () => eventsOf(answerOf(engine, conversationOf(), { signal, countFirst: false }));
    const held = Promise.allSettled(Array.from({ length: 20 }, hold));
    await Promise.all(upstreams.map((upstream) => upstream.until((one) => chats(one) === 10, soon())));
    for (const upstream of upstreams) upstream.script(() => undefined);
    // Servers with equal load take turns.
    for (let round = 0; round < 4; round += 1) expectLegalEvents(await answer());
    expect(chats(first) + chats(second)).toBe(24);
    expect([chats(first), chats(second)]).toEqual([12, 12]);
    abort.abort();
    expect((await held).every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('replace one that is down', async () => {
    const { first, second } = await start([{ refusing: true }, {}]);
    await engine.lifecycle.ready(soon());
    for (let round = 0; round < 6; round += 1) expectLegalEvents(await answer());
    expect([chats(first), chats(second)]).toEqual([0, 6]);
  });

  for (const fail of ['reset-before-headers', 'status'] as const) {
    it(`replace one that fails by ${fail} before its answer, each tried once`, async () => {
      await start([{ plan: { fail } }, {}, { plan: { fail } }]);
      await engine.lifecycle.ready(soon());
      for (let round = 0; round < 6; round += 1) expectLegalEvents(await answer());
      // A reset of a reused connection looks like one that the server had closed while it was idle.
      const tries = fail === 'status' ? 3 : 4;
      const total = upstreams.reduce((sum, upstream) => sum + chats(upstream), 0);
      expect(total).toBeLessThanOrEqual(18);
      for (const upstream of upstreams)
        upstream.script(({ path }) => (path === '/v1/models' ? undefined : { fail }));
      expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-failed');
      expect(upstreams.reduce((sum, upstream) => sum + chats(upstream), 0)).toBe(total + tries);
    });
  }

  it('replace one that is overloaded, but not after a refusal or a broken answer', async () => {
    const { first, second } = await start([{}, {}]);
    await engine.lifecycle.ready(soon());
    const scripted = (fail: Failure) => {
      for (const upstream of upstreams) {
        upstream.script(({ path }) => (path === '/v1/models' ? undefined : { fail }));
      }
    };
    scripted({ mode: 'status', status: 429 });
    expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-overloaded');
    expect([chats(first), chats(second)]).toEqual([1, 1]);
    scripted({ mode: 'status', status: 400 });
    expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-refused');
    expect(chats(first) + chats(second)).toBe(3);
    scripted({ mode: 'reset-mid-stream', afterEvents: 3 });
    expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-failed');
    expect(chats(first) + chats(second)).toBe(4);
  });

  it('fail the answers of one that dies, and take over from it', async () => {
    const { first, second } = await start([
      { plan: { fail: { mode: 'stall-mid-stream', afterEvents: 2 } } },
      { plan: { fail: { mode: 'stall-mid-stream', afterEvents: 2 } } },
    ]);
    await engine.lifecycle.ready(soon());
    const failing = failureOf(answerOf(engine, conversationOf(), plain));
    await Promise.race(upstreams.map((upstream) => upstream.until((one) => chats(one) === 1, soon())));
    const [dying, living] = chats(first) === 1 ? [first, second] : [second, first];
    await dying.until(({ requests }) => (requests.at(-1)?.sentPieces ?? 0) >= 2, soon());
    await dying.refuse();
    expect((await failing).fault.code).toBe('engine-failed');
    living.script(({ path }) => (path === '/v1/models' ? undefined : {}));
    for (let round = 0; round < 4; round += 1) expectLegalEvents(await answer());
    expect(chats(living)).toBe(4);
  });

  it('with different windows have the smallest one', async () => {
    await start([{ contextWindow: 8_192 }, { contextWindow: 4_096 }]);
    await engine.lifecycle.ready(soon());
    for (const upstream of upstreams)
      await upstream.until((one) => one.requests.some(({ sentPieces }) => sentPieces > 0), soon());
    await expect.poll(() => engine.contextWindow).toBe(4_096);
  });
});

describe('the state of an engine', () => {
  const passUntil = async (held: HeldClock, isSo: () => boolean) => {
    while (!isSo()) {
      held.pass(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const pass = async (held: HeldClock, upstream: FakeUpstream, count: number) => {
    const before = checks(upstream);
    await passUntil(held, () => checks(upstream) >= before + count);
  };

  it('is starting, ready, degraded after two failed checks, and ready after one that succeeds', async () => {
    const held = new HeldClock();
    const { first } = await start([{}], { made: { clock: held } });
    expect(engine.lifecycle.state).toBe('starting');
    await engine.lifecycle.ready(soon());
    expect(engine.lifecycle.state).toBe('ready');
    first.script(({ path }) =>
      path === '/v1/models' ? { fail: { mode: 'status', status: 503 } } : undefined,
    );
    await pass(held, first, 1);
    await first.until(({ activeRequests }) => activeRequests === 0);
    expect(engine.lifecycle.state).toBe('ready');
    await pass(held, first, 1);
    await expect.poll(() => engine.lifecycle.state).toBe('degraded');
    first.script(() => undefined);
    await engine.lifecycle.ready(soon());
    expect(engine.lifecycle.state).toBe('ready');
  });

  it('stays ready while it answers, even if checks time out, but not when it answers nothing', async () => {
    const held = new HeldClock();
    const { first } = await start([{}], { made: { clock: held, random: () => 0.5 } });
    await engine.lifecycle.ready(soon());
    first.script(({ path }) => (path === '/v1/models' ? { fail: 'stall-before-headers' } : undefined));
    held.pass(10_000);
    for (let round = 2; round < 6; round += 1) {
      await first.until((one) => checks(one) === round, soon());
      expectLegalEvents(await answer());
      const gone = first.clientGone(soon());
      held.pass(5_250);
      await gone;
      expect(engine.lifecycle.state).toBe('ready');
      held.pass(1_500);
    }
    await passUntil(held, () => engine.lifecycle.state === 'degraded');
  });

  it('is degraded after a first check that fails, and still tries requests', async () => {
    const { first } = await start([{ refusing: true }]);
    await expect.poll(() => engine.lifecycle.state).toBe('degraded');
    await expect(engine.lifecycle.ready(AbortSignal.timeout(50))).rejects.toThrow('timeout');
    await first.accept();
    expectLegalEvents(await answer());
    await engine.lifecycle.ready(soon());
  });

  it('is checked every second until the server has answered once', async () => {
    const held = new HeldClock();
    const settings = { made: { clock: held, limits: { checkEveryMs: 1_000_000 } } };
    const { first } = await start([{ refusing: true }], settings);
    engine.lifecycle.ready(soon()).catch(() => undefined);
    await expect.poll(() => engine.lifecycle.state).toBe('degraded');
    await first.accept();
    held.pass(1_500);
    await expect.poll(() => engine.lifecycle.state).toBe('ready');
    expect(checks(first)).toBe(1);
  });

  it('is ready with a server that has no list of models', async () => {
    const { first } = await start([{}]);
    await engine.lifecycle.ready(soon());
    await engine.close();
    first.script(({ path }) =>
      path === '/v1/models' ? { fail: { mode: 'status', status: 404 } } : undefined,
    );
    engine = openAiEngineFor([first], { made: { clock } });
    await engine.lifecycle.ready(soon());
    expect(first.requests.some(({ path }) => path === '/health')).toBe(true);
  });

  it('is checked soon after a request failed', async () => {
    const held = new HeldClock();
    const { first } = await start([{}], { made: { clock: held, limits: { checkEveryMs: 1_000_000 } } });
    await engine.lifecycle.ready(soon());
    expect(checks(first)).toBe(1);
    first.respond({ fail: 'reset-before-headers' });
    await failureOf(answerOf(engine, conversationOf(), plain));
    held.pass(1_500);
    await first.until((one) => checks(one) === 2, soon());
  });

  it('fails waiting callers when the engine is closed', async () => {
    await start([{ refusing: true }]);
    const waiting = engine.lifecycle.ready(never);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'engine-failed' }), engine.close()]);
  });
});
