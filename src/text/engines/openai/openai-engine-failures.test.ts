import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CountingClock, HeldClock } from '../../../../testing/bad-child/clocks.ts';
import {
  BREAKAGES,
  type Failure,
  QUIRKS,
  UPSTREAM_DETAIL,
} from '../../../../testing/fake-upstream/failure-modes.mjs';
import {
  type FakeUpstream,
  type ReplyPlan,
  startFakeUpstream,
} from '../../../../testing/fake-upstream/fake-upstream.mjs';
import { answerOf, collectReply } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../../../testing/text/engine-events.ts';
import { closeWhole, failureOf, openAiEngineFor } from '../../../../testing/text/engine-openai.ts';
import { Secret } from '../../../config/secret.ts';
import type { Fault } from '../../../faults/fault.ts';
import type { OpenAiEngine } from './openai-engine.ts';

const never = new AbortController().signal;
const plain = { signal: never, countFirst: false };
const CHAT = '/v1/chat/completions';
const KEY = 'sk-very-secret';

let upstream: FakeUpstream;
let engine: OpenAiEngine;
let clock: CountingClock;

beforeEach(async () => {
  clock = new CountingClock();
  upstream = await startFakeUpstream({ apiKey: KEY });
  engine = openAiEngineFor([upstream], { apiKey: new Secret(KEY), made: { clock } });
  await engine.lifecycle.ready(AbortSignal.timeout(60_000));
});
afterEach(async () => {
  await closeWhole(engine, [upstream], clock);
  await upstream.close();
});

function expectNoDetail(fault: Fault): void {
  expect(fault.message).not.toContain(UPSTREAM_DETAIL);
  expect(JSON.stringify(fault)).not.toContain(UPSTREAM_DETAIL);
  const causes = String(fault.cause);
  expect(causes.length).toBeLessThan(1_000);
  expect(causes + fault.message).not.toContain(KEY);
}

const stalls: readonly string[] = ['stall-before-headers', 'stall-mid-stream'];

describe('a server that breaks', () => {
  for (const mode of BREAKAGES.filter((name) => !stalls.includes(name))) {
    for (const countFirst of [false, true]) {
      it(`by ${mode} fails the answer${countFirst ? ' that is counted first' : ''}, and the next one works`, async () => {
        upstream.respond({ fail: mode, text: 'some words to be cut' });
        const { fault, events } = await failureOf(
          answerOf(engine, conversationOf(), { signal: never, countFirst }),
        );
        expect(fault.code).toBe('engine-failed');
        expectNoDetail(fault);
        expect(events.some(({ type }) => type === 'finish')).toBe(false);
        expectLegalEvents(await eventsOf(answerOf(engine, conversationOf(), plain)));
      });
    }
  }

  for (const mode of ['reset-mid-stream', 'truncated-body'] as const) {
    for (const afterEvents of [0, 1, 3]) {
      it(`by ${mode} after ${afterEvents} events fails after the text so far`, async () => {
        let isSeen = () => {};
        const seen = new Promise<void>((resolve) => {
          isSeen = resolve;
        });
        upstream.respond({
          fail: { mode, afterEvents },
          text: ['one', 'two', 'three'],
          beforeCut: () => seen,
        });
        const texts: string[] = [];
        const answering = (async () => {
          for await (const batch of answerOf(engine, conversationOf(), plain)) {
            for (const event of batch) if (event.type === 'block-delta') texts.push(event.text);
            if (texts.length >= afterEvents - 1) isSeen();
          }
        })();
        await expect(answering).rejects.toMatchObject({ code: 'engine-failed' });
        expect(texts.join('')).toBe(['', '', 'one', 'onetwo'].at(afterEvents));
      });
    }
  }

  const statuses: readonly (readonly [Failure, string, number?])[] = [
    [{ mode: 'status', status: 429, retryAfter: 7 }, 'engine-overloaded', 7],
    [{ mode: 'status', status: 503, retryAfter: 4_000 }, 'engine-overloaded', 59],
    [
      { mode: 'status', status: 529, retryAfter: 'Fri, 01 Jan 2100 00:00:00 GMT', body: 'html' },
      'engine-overloaded',
      5,
    ],
    [{ mode: 'status', status: 400 }, 'engine-refused'],
    [{ mode: 'status', status: 413, body: 'empty' }, 'engine-refused'],
    [{ mode: 'status', status: 422, body: 'html' }, 'engine-refused'],
    [{ mode: 'status', status: 401 }, 'engine-failed'],
    [{ mode: 'status', status: 403, body: 'html' }, 'engine-failed'],
    [{ mode: 'status', status: 404, body: 'empty' }, 'engine-failed'],
    [{ mode: 'status', status: 500 }, 'engine-failed'],
    [{ mode: 'status', status: 502, body: 'html' }, 'engine-failed'],
    [{ mode: 'status', status: 302, body: 'empty' }, 'engine-failed'],
  ];
  for (const [fail, code, retryAfterSeconds] of statuses) {
    it(`by status ${fail.status} with ${fail.body ?? 'json'} is ${code}`, async () => {
      upstream.respond({ fail });
      const { fault, events } = await failureOf(answerOf(engine, conversationOf(), plain));
      expect(fault).toMatchObject({ code, retryAfterSeconds });
      expect(events).toEqual([]);
      expectNoDetail(fault);
    });
  }

  it('by closing its port is engine-failed', async () => {
    await upstream.refuse();
    const { fault } = await failureOf(
      answerOf(engine, conversationOf(), { signal: never, countFirst: true }),
    );
    expect(fault.code).toBe('engine-failed');
    await expect(engine.countTokens(conversationOf(), never)).rejects.toMatchObject({
      code: 'engine-failed',
    });
  });

  for (const mode of QUIRKS.filter((name) => name !== 'huge-event')) {
    it(`not, but shows the quirk ${mode}, answers in full`, async () => {
      upstream.respond({ fail: mode, text: 'All is well.', reasoning: 'Hm.' });
      const reply = await collectReply(answerOf(engine, conversationOf(), plain));
      expect(reply.blocks.map(({ text }) => text.replaceAll('\uFFFD', ''))).toEqual(['Hm.', 'All is well.']);
      expect(reply).toMatchObject({
        reason: 'stop',
        usage: { promptTokens: expect.any(Number), completionTokens: 4 },
      });
    });
  }

  it('by an event of 8 MiB fails', async () => {
    upstream.respond({ fail: 'huge-event' });
    expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-failed');
  });
});

describe('a server that is too slow', () => {
  const held = async (timeoutSeconds: number) => {
    const heldClock = new HeldClock();
    const slow = openAiEngineFor([upstream], {
      apiKey: new Secret(KEY),
      timeoutSeconds,
      made: { clock: heldClock },
    });
    return { heldClock, slow };
  };

  it('with its first byte is a timeout after timeout_seconds, and not before', async () => {
    const { heldClock, slow } = await held(300);
    upstream.respond({ fail: 'stall-before-headers' });
    const failing = failureOf(answerOf(slow, conversationOf(), plain));
    await upstream.until(({ requests }) => requests.some(({ path }) => path === CHAT));
    heldClock.pass(299_000);
    expect(upstream.requests.findLast(({ path }) => path === CHAT)).toBeDefined();
    expect(upstream.activeRequests).toBeGreaterThan(0);
    heldClock.pass(1_500);
    expect((await failing).fault.code).toBe('engine-timeout');
    await slow.close();
  });

  it('is not meant where the gateway stood still and the answer came meanwhile', async () => {
    const { heldClock, slow } = await held(300);
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.script(async ({ path }) => {
      if (path === CHAT) await isAnswered;
      return undefined;
    });
    const answering = eventsOf(answerOf(slow, conversationOf(), plain));
    await upstream.until(({ requests }) => requests.some(({ path }) => path === CHAT));
    // The first sweep finds that the time is up, before any socket is read.
    heldClock.pass(300_000);
    answer();
    expect((await answering).at(-1)?.type).toBe('finish');
    await slow.close();
  });

  it('in the midst of its answer is a timeout after a minute of silence', async () => {
    const { heldClock, slow } = await held(600);
    upstream.respond({ fail: { mode: 'stall-mid-stream', afterEvents: 2 } });
    const seen: string[] = [];
    const answering = (async () => {
      for await (const batch of answerOf(slow, conversationOf(), plain)) {
        seen.push(...batch.map(({ type }) => type));
        if (seen.includes('block-delta')) heldClock.pass(59_000);
        if (seen.includes('block-delta')) heldClock.pass(1_500);
      }
    })();
    await expect(answering).rejects.toMatchObject({ code: 'engine-timeout' });
    expect(seen).toEqual(['start', 'block-start', 'block-delta']);
    await slow.close();
  });

  it('between its head and its first byte may take as long as the first byte', async () => {
    const { heldClock, slow } = await held(300);
    upstream.respond({ fail: { mode: 'stall-mid-stream', afterEvents: 0 } });
    const stream = answerOf(slow, conversationOf(), plain)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual([{ type: 'start', promptTokens: undefined }]);
    const failing = expect(stream.next()).rejects.toMatchObject({ code: 'engine-timeout' });
    heldClock.pass(299_000);
    expect(upstream.activeRequests).toBeGreaterThan(0);
    heldClock.pass(1_500);
    await failing;
    await slow.close();
  });

  it('in finishing is a timeout after timeout_seconds even if bytes keep coming', async () => {
    const { heldClock, slow } = await held(100);
    const turns = new Turns();
    upstream.respond({ pieceCount: 1_000, beforePiece: () => turns.take() });
    const stream = answerOf(slow, conversationOf({ sampling: { maxTokens: 5_000 } }), plain);
    const { fault, events } = await failureOf(
      (async function* () {
        turns.give(2);
        for await (const batch of stream) {
          yield batch;
          heldClock.pass(1_000);
          turns.give(1);
        }
      })(),
    );
    expect(fault.code).toBe('engine-timeout');
    expect(events.length).toBeGreaterThan(10);
    await slow.close();
  });
});

describe('an answer that is stopped', () => {
  it('ends upstream at any point', async () => {
    for (let round = 0; round < 60; round += 1) {
      const abort = new AbortController();
      const leave = () => abort.abort(new Error('client left'));
      const leaveAt = round % 20;
      const plan: ReplyPlan = {
        pieceCount: 20,
        eventsPerWrite: 1 + (round % 3),
        beforePiece: async (index) => {
          if (index < leaveAt) return;
          leave();
          // The answer would never end by itself.
          await new Promise(() => {});
        },
      };
      const mark = `round ${round}.`;
      upstream.script(({ bytes }) => (bytes.includes(mark) ? plan : undefined));
      const conversation = conversationOf({ system: mark });
      if (leaveAt === 0) queueMicrotask(leave);
      const answering = eventsOf(
        answerOf(engine, conversation, { signal: abort.signal, countFirst: round % 2 === 0 }),
      );
      await expect(answering).rejects.toThrow('client left');
      await upstream.until(({ activeRequests }) => activeRequests === 0, AbortSignal.timeout(60_000));
    }
  });

  it('ends upstream at once while the server is silent', async () => {
    for (const fail of ['stall-before-headers', 'stall-mid-stream'] as const) {
      upstream.respond({ fail });
      const abort = new AbortController();
      const answering = eventsOf(
        answerOf(engine, conversationOf(), { signal: abort.signal, countFirst: false }),
      );
      const chats = upstream.requests.filter(({ path }) => path === CHAT).length;
      await upstream.until(({ requests }) => requests.filter(({ path }) => path === CHAT).length > chats);
      const request = upstream.requests.findLast(({ path }) => path === CHAT);
      abort.abort(new Error('client left'));
      await expect(answering).rejects.toThrow('client left');
      expect(await request?.ended).toBe('client-gone');
    }
  });

  it('ends upstream even if its reader is busy', async () => {
    upstream.respond({ fail: 'stall-mid-stream' });
    const abort = new AbortController();
    const options = { signal: abort.signal, countFirst: false };
    const stream = answerOf(engine, conversationOf(), options)[Symbol.asyncIterator]();
    await stream.next();
    const gone = upstream.clientGone(AbortSignal.timeout(60_000));
    abort.abort(new Error('client left'));
    expect((await gone).path).toBe(CHAT);
    await expect(stream.next()).rejects.toThrow('client left');
  });

  it('ends upstream when its reader stops reading', async () => {
    upstream.respond({ fail: 'stall-mid-stream' });
    const gone = upstream.clientGone(AbortSignal.timeout(60_000));
    for await (const _ of answerOf(engine, conversationOf(), plain)) break;
    expect((await gone).path).toBe(CHAT);
  });

  it('fails when the engine is closed', async () => {
    upstream.respond({ fail: 'stall-before-headers' });
    const failing = failureOf(answerOf(engine, conversationOf(), plain));
    await upstream.until(({ requests }) => requests.some(({ path }) => path === CHAT));
    await engine.close();
    expect((await failing).fault.code).toBe('engine-failed');
    expect((await failureOf(answerOf(engine, conversationOf(), plain))).fault.code).toBe('engine-failed');
  });
});

/** Makes the fake send one piece per step. */
class Turns {
  #given = 0;
  #wake: (() => void) | undefined;

  give(count: number): void {
    this.#given += count;
    this.#wake?.();
  }

  async take(): Promise<void> {
    while (this.#given === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#given -= 1;
  }
}
