import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HeldClock } from '../../../../testing/bad-child/clocks.ts';
import { answerOf } from '../../../../testing/text/engine-answers.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { eventsOf, expectLegalEvents } from '../../../../testing/text/engine-events.ts';
import {
  fileAt,
  type LlamaEngineSettings,
  LlamaEngineUnderTest,
} from '../../../../testing/text/engine-llama.ts';
import { failureOf } from '../../../../testing/text/engine-openai.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';

const never = new AbortController().signal;
/** Starting a process takes seconds on a busy machine. */
const countFirst = false;

const endless = conversationOf({ sampling: { maxTokens: 1_900 } });

let opened: LlamaEngineUnderTest[] = [];
async function start(settings: LlamaEngineSettings = {}) {
  const under = await LlamaEngineUnderTest.start({ model: { loops: true }, ...settings });
  opened.push(under);
  return under;
}
afterEach(async () => {
  for (const under of opened) await under[Symbol.asyncDispose]();
  opened = [];
});

/** Reads until the first text. */
async function begun(under: LlamaEngineUnderTest, signal: AbortSignal = never, stackId?: string) {
  const batches = answerOf(under.engine, endless, { signal, countFirst, stackId })[Symbol.asyncIterator]();
  for (;;) {
    const { value } = await batches.next();
    if (value?.some((event: { type: string }) => event.type === 'block-delta')) return batches;
  }
}

/** All remaining events. */
async function* rest<Item>(iterator: AsyncIterator<Item>): AsyncGenerator<Item> {
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
}

const ask = (under: LlamaEngineUnderTest) =>
  eventsOf(answerOf(under.engine, conversationOf(), { signal: never, countFirst }));

describe("the embedded engine's process", () => {
  it('is killed and started anew when it hangs', async () => {
    const under = await start({ made: { limits: { silenceMs: 5_000 } } });
    const answer = await begun(under);
    const [processId] = under.processIds;
    process.kill(processId ?? Number.NaN, 'SIGSTOP');
    const { fault } = await failureOf(rest(answer));
    expect(fault.code).toBe('engine-timeout');
    expectLegalEvents(await ask(under));
  });

  it('is degraded by a file that is no model, and requests fail with the reason', async () => {
    const under = await start({ made: { clock: hasty } });
    writeFileSync(join(under.folder, 'tiny.gguf'), 'GGUF and nothing else');
    const { fault } = await failureOf(
      answerOf(under.engine, conversationOf(), { signal: never, countFirst }),
    );
    expect(fault.code).toBe('engine-failed');
    expect(under.engine.lifecycle.state).toBe('degraded');
  });

  it('ends after a while without work, and starts again for the next request', async () => {
    const clock = new IdleClock();
    const under = await start({ config: { idlePauseMinutes: 15 }, made: { clock } });
    await under.engine.lifecycle.ready(never);
    const [processId] = under.processIds;
    clock.pass(14 * 60_000);
    expect(under.engine.lifecycle.state).toBe('ready');
    clock.pass(60_000);
    expect(under.engine.lifecycle.state).toBe('paused');
    await expect.poll(() => under.processIds).toEqual([]);
    expectLegalEvents(await ask(under));
    expect(under.processIds).not.toContain(processId);
    expect(under.engine.lifecycle.state).toBe('ready');
  });

  it('ends with the engine, even during an answer', async () => {
    const under = await start({ made: { limits: { stopGraceMs: 200 } } });
    const answer = await begun(under);
    await under.engine.close();
    const { fault } = await failureOf(rest(answer));
    expect(fault.code).toBe('model-not-ready');
    expect(under.processIds).toEqual([]);
  });
});

describe('the embedded engine under load', () => {
  // Answers never end by themselves; one runs at a time, two more may wait.
  let under: LlamaEngineUnderTest;
  beforeAll(async () => {
    const settings = {
      model: { loops: true },
      config: { sequences: 1 },
      made: { limits: { maxWaiting: 2 } },
    };
    under = await LlamaEngineUnderTest.start(settings);
    await under.engine.lifecycle.ready(never);
  });
  afterAll(async () => {
    await under[Symbol.asyncDispose]();
  });

  it('answers waiting requests in order after a reader left', async () => {
    const leave = new AbortController();
    const answer = await begun(under, leave.signal);
    const order: number[] = [];
    const waiting = [ask(under).then(() => order.push(1))];
    await expect.poll(() => under.engine.waiting).toBe(1);
    waiting.push(ask(under).then(() => order.push(2)));
    await expect.poll(() => under.engine.waiting).toBe(2);
    expect(await under.engine.countTokens(conversationOf(), never)).toBeGreaterThan(10);
    leave.abort(new Error('gone'));
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
    await expect(eventsOf(rest(answer))).rejects.toThrow('gone');
  });

  it('answers another stack while one uses all of its permits, and lets stacks take turns', async () => {
    const [many, other] = [new AbortController(), new AbortController()];
    const answers = [
      await begun(under, many.signal, 'many'),
      // The second answer begins while the first, which never ends, is still running.
      await begun(under, other.signal, 'other'),
    ];
    const order: string[] = [];
    const wait = async (stackId: string, waiting: number) => {
      const events = eventsOf(
        answerOf(under.engine, conversationOf(), { signal: never, countFirst, stackId }),
      );
      await expect.poll(() => under.engine.waiting).toBe(waiting);
      return { ended: events.then(() => order.push(stackId)) };
    };
    const waits = [await wait('many', 1), await wait('third', 2)];
    other.abort(new Error('gone'));
    await waits[1]?.ended;
    many.abort(new Error('gone'));
    await waits[0]?.ended;
    expect(order).toEqual(['third', 'many']);
    for (const answer of answers) await expect(eventsOf(rest(answer))).rejects.toThrow('gone');
  });

  it('releases the permit of a reader that left after the start', async () => {
    for await (const [event] of answerOf(under.engine, endless, { signal: never, countFirst })) {
      expect(event).toMatchObject({ type: 'start' });
      break;
    }
    expectLegalEvents(await ask(under));
  });

  it('refuses at once if the queue is full', async () => {
    const answer = await begun(under);
    const leave = new AbortController();
    const waiting = [1, 2].map(() =>
      eventsOf(answerOf(under.engine, endless, { signal: leave.signal, countFirst })),
    );
    await expect.poll(() => under.engine.waiting).toBe(2);
    const { fault, events } = await failureOf(answerOf(under.engine, endless, { signal: never, countFirst }));
    expect(fault).toMatchObject({ code: 'engine-overloaded', retryAfterSeconds: expect.any(Number) });
    expect(events).toEqual([]);
    leave.abort(new Error('gone'));
    for (const one of waiting) await expect(one).rejects.toThrow('gone');
    expect(under.engine.waiting).toBe(0);
    await answer.return();
    expectLegalEvents(await ask(under));
  });

  it('removes a reader that left from the queue', async () => {
    const answer = await begun(under);
    for await (const [event] of answerOf(under.engine, endless, { signal: never, countFirst })) {
      expect(event).toMatchObject({ type: 'start' });
      break;
    }
    expect(under.engine.waiting).toBe(0);
    await answer.return();
  });

  it('fails running answers when its process is killed, and answers the next', async () => {
    const answer = await begun(under);
    const [processId] = under.processIds;
    process.kill(processId ?? Number.NaN, 'SIGKILL');
    const { fault } = await failureOf(rest(answer));
    expect(fault).toMatchObject({ code: 'engine-failed', message: expect.stringContaining('restarted') });
    expectLegalEvents(await ask(under));
    expect(under.processIds).not.toContain(processId);
    expect(under.engine.lifecycle.state).toBe('ready');
  });
});

describe('a long prompt', () => {
  const long = (text: string) =>
    conversationOf({ turns: [{ role: 'user', parts: [{ type: 'text', text }] }] });

  it('is counted in another process, even while the one that answers is frozen', async () => {
    const under = await start();
    const count = (times: number) => under.engine.countTokens(long('ab '.repeat(times)), never);
    const [hundred, twoHundred] = [await count(100), await count(200)];
    const [answering] = under.processIds;
    process.kill(answering ?? Number.NaN, 'SIGSTOP');
    try {
      expect(await count(40_000)).toBe(hundred + 399 * (twoHundred - hundred));
      expect(under.processIds.length).toBe(2);
    } finally {
      process.kill(answering ?? Number.NaN, 'SIGCONT');
    }
  });

  it('is dropped when its caller leaves, and does not delay another stack', async () => {
    const under = await start();
    const leave = new AbortController();
    const endless = under.engine.countTokens(long('a fox '.repeat(4_000_000)), leave.signal, {
      stackId: 'a',
    });
    const gone = expect(endless).rejects.toThrow('gone');
    const other = await under.engine.countTokens(long('a fox '.repeat(10_000)), never, { stackId: 'b' });
    expect(other).toBeGreaterThan(10_000);
    leave.abort(new Error('gone'));
    await gone;
  });
});

describe('a long prompt after the engine was closed', () => {
  it('is refused and starts no process', async () => {
    const under = await start();
    await under.engine.lifecycle.ready(never);
    await under.engine.close();
    const text = 'a fox '.repeat(10_000);
    const prompt = conversationOf({ turns: [{ role: 'user', parts: [{ type: 'text', text }] }] });
    await expect(under.engine.countTokens(prompt, never)).rejects.toMatchObject({ code: 'model-not-ready' });
    expect(under.processIds).toEqual([]);
  });
});

describe('a missing model file', () => {
  it('is waited for, and its progress is reported', async () => {
    let arrive = (_path: string) => {};
    const path = new Promise<string>((resolve) => {
      arrive = resolve;
    });
    const file = { ...fileAt(''), path: () => path, wait: 'The model is being fetched: 12 of 93 MB.' };
    const under = await start({ made: { file } });
    under.engine.start();
    expect(under.engine.lifecycle).toMatchObject({
      state: 'starting',
      wait: expect.stringContaining('12 of 93 MB'),
    });
    const hasty = AbortSignal.timeout(10);
    await expect(under.engine.lifecycle.ready(hasty)).rejects.toThrow();
    arrive(join(under.folder, 'tiny.gguf'));
    await under.engine.lifecycle.ready(never);
    expectLegalEvents(await ask(under));
  });

  it('degrades the engine if it cannot be fetched', async () => {
    const path = (signal: AbortSignal) =>
      new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const file = { ...fileAt(''), path, wait: 'It could not be fetched.', hasFailed: true };
    const under = await start({ made: { file } });
    under.engine.start();
    expect(under.engine.lifecycle.state).toBe('degraded');
  });
});

/** Restarts are immediate. */
const hasty: Clock = {
  nowMs: () => systemClock.nowMs(),
  after: (delayMs, run) => systemClock.after(Math.min(delayMs, 60_000) / 20, run),
};

/** Time that takes seconds passes by itself, minutes only when told to. */
class IdleClock extends HeldClock {
  override after(delayMs: number, run: () => void) {
    return delayMs < 60_000 ? systemClock.after(delayMs, run) : super.after(delayMs, run);
  }
}
