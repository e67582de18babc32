import { expect, test } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import type { EndedSpan } from '../telemetry/request-trace.ts';
import { Tracer } from '../telemetry/tracer.ts';
import type { ChildPortListener, LaunchChild } from './child-port.ts';
import type { MessageToChild } from './messages.ts';
import { Supervised } from './supervised.ts';
import type { SupervisedOptions } from './supervised-options.ts';

const never = new AbortController().signal;
const backoff = { firstMs: 100, maxMs: 350, stableMs: 10_000, degradedAfterCrashes: 3 };

/** A child scripted by the test. */
class ScriptedChild {
  readonly received: MessageToChild[] = [];
  killed = false;
  readonly say: ChildPortListener;

  constructor(listener: ChildPortListener) {
    this.say = listener;
  }

  crash(): void {
    this.say.ended({ exitCode: 1, signal: null });
  }
}

function supervise(options: Partial<SupervisedOptions> = {}) {
  const clock = new HeldClock();
  const children: ScriptedChild[] = [];
  const launch: LaunchChild = (listener) => {
    const scripted = new ScriptedChild(listener);
    children.push(scripted);
    return {
      send: (message) => void scripted.received.push(message),
      kill() {
        scripted.killed = true;
      },
    };
  };
  const child = new Supervised({
    name: 'scripted',
    launch,
    patience: { startTimeoutMs: 1_000, cancelGraceMs: 200, stopGraceMs: 300 },
    concurrency: 1,
    maxWaiting: 10,
    streamWindow: 2,
    backoff,
    clock,
    random: () => 1,
    ...options,
  });
  function latest(): ScriptedChild {
    const scripted = children.at(-1);
    if (!scripted) throw new Error('no child was launched');
    return scripted;
  }
  return { child, clock, children, latest };
}

test('the wait between crashes doubles up to its cap, and a stable child is forgiven', async () => {
  const { child, clock, children, latest } = supervise();
  child.ready(never).catch(() => {});
  for (const delayMs of [100, 200, 350, 350]) {
    const before = children.length;
    latest().crash();
    clock.pass(delayMs - 1);
    expect(children.length).toBe(before);
    clock.pass(1);
    expect(children.length).toBe(before + 1);
  }
  expect(child.state).toBe('degraded');
  latest().say.message({ type: 'ready' });
  expect(child.state).toBe('ready');
  clock.pass(10_000);
  latest().crash();
  expect(child.state).toBe('starting');
  clock.pass(100);
  expect(children).toHaveLength(6);
});

test('a start that takes too long is killed, and tried again', async () => {
  const { child, clock, children, latest } = supervise();
  child.ready(never).catch(() => {});
  clock.pass(999);
  expect(latest().killed).toBe(false);
  clock.pass(1);
  expect(latest().killed).toBe(true);
  latest().crash();
  clock.pass(100);
  expect(children).toHaveLength(2);
});

test('a deadline in CPU time waits for a child that is kept from working, but not without an end', async () => {
  const used = new Map([[7, 1_000]]);
  const cpuMsOf = (thread: number | undefined) => used.get(thread ?? 0);
  const begin = () => {
    const parts = supervise({ cpuMsOf });
    const asked = parts.child.ask('work', { signal: never, deadlineMs: 500, mostWallMs: 3_000 });
    asked.catch(() => {});
    parts.latest().say.message({ type: 'alive', thread: 7 });
    parts.latest().say.message({ type: 'ready' });
    return parts;
  };
  const starved = begin();
  starved.clock.pass(2_999);
  expect(starved.latest().killed).toBe(false);
  starved.clock.pass(1);
  expect(starved.latest().killed).toBe(true);
  const busy = begin();
  used.set(7, 1_400);
  busy.clock.pass(500);
  expect(busy.latest().killed).toBe(false);
  used.set(7, 1_500);
  busy.clock.pass(99);
  expect(busy.latest().killed).toBe(false);
  busy.clock.pass(1);
  expect(busy.latest().killed).toBe(true);
  used.delete(7);
  const untold = begin();
  untold.clock.pass(499);
  expect(untold.latest().killed).toBe(false);
  untold.clock.pass(1);
  expect(untold.latest().killed).toBe(true);
});

test('the deadline stands still while the reader is behind, and runs again once it has read', async () => {
  const { child, clock, latest } = supervise();
  const stream = child.stream('count', { signal: never, deadlineMs: 500 });
  const first = stream.next();
  latest().say.message({ type: 'ready' });
  latest().say.message({ type: 'batch', id: 1, events: [1] });
  expect((await first).value).toEqual([1]);
  latest().say.message({ type: 'batch', id: 1, events: [2] });
  latest().say.message({ type: 'batch', id: 1, events: [3] });
  clock.pass(60_000);
  expect(latest().killed).toBe(false);
  expect((await stream.next()).value).toEqual([2, 3]);
  expect(latest().received.at(-1)).toEqual({ type: 'credit', id: 1, batches: 2 });
  clock.pass(499);
  expect(latest().killed).toBe(false);
  clock.pass(1);
  expect(latest().killed).toBe(true);
});

test('a child that cannot be killed is given up, and replaced', async () => {
  const { child, clock, children, latest } = supervise();
  const answer = child.ask('hang', { signal: never, deadlineMs: 500 });
  latest().say.message({ type: 'ready' });
  clock.pass(500);
  expect(children).toHaveLength(1);
  clock.pass(5_000);
  await expect(answer).rejects.toMatchObject({ reason: 'deadline' });
  expect(children).toHaveLength(2);
  children[0]?.crash();
  expect(child.state).toBe('starting');
  latest().say.message({ type: 'ready' });
  expect(child.state).toBe('ready');
});

test('a request counts as idle time from its end, and a request during the pause waits for the new child', async () => {
  const { child, clock, children, latest } = supervise({ idleMs: 1_000 });
  const answer = child.ask('work', { signal: never, deadlineMs: 60_000 });
  latest().say.message({ type: 'ready' });
  clock.pass(5_000);
  latest().say.message({ type: 'answer', id: 1, value: 'done', memoryBytes: 1 });
  expect(await answer).toBe('done');
  clock.pass(999);
  expect(child.state).toBe('ready');
  clock.pass(1);
  expect(child.state).toBe('paused');
  expect(latest().received.at(-1)).toEqual({ type: 'stop' });
  const next = child.ask('more', { signal: never, deadlineMs: 60_000 });
  latest().crash();
  expect(children).toHaveLength(2);
  latest().say.message({ type: 'ready' });
  latest().say.message({ type: 'answer', id: 1, value: 'again', memoryBytes: 1 });
  expect(await next).toBe('again');
});

test('a launch that throws is a crash like any other', async () => {
  const launch = () => {
    throw new Error('no more processes');
  };
  const { child, clock } = supervise({ launch });
  const ready = child.ready(never);
  clock.pass(100);
  clock.pass(200);
  await expect(ready).rejects.toMatchObject({
    reason: 'crashed',
    cause: { cause: { message: 'no more processes' } },
  });
  await child.stop(never);
  expect(clock.pending).toBe(0);
});

test('a fresh child that cannot start does not disturb the old one', async () => {
  const recycle = { afterRequests: 1, freshStarts: 'before' } as const;
  const { child, clock, children } = supervise({ recycle, backoff: { ...backoff, degradedAfterCrashes: 1 } });
  const first = child.ask('one', { signal: never, deadlineMs: 60_000 });
  const second = child.ask('two', { signal: never, deadlineMs: 60_000 });
  const [old] = children;
  old?.say.message({ type: 'ready' });
  children[1]?.crash();
  old?.say.message({ type: 'answer', id: 1, value: 1, memoryBytes: 1 });
  old?.say.message({ type: 'answer', id: 2, value: 2, memoryBytes: 1 });
  expect([await first, await second]).toEqual([1, 2]);
  expect(child.state).toBe('ready');
  clock.pass(100);
  children[2]?.say.message({ type: 'ready' });
  expect(old?.received.at(-1)).toEqual({ type: 'stop' });
});

test('a wait for a child is a part of the span that it holds up; a call that is taken at once has none', async () => {
  const spans: EndedSpan[] = [];
  const tracer = new Tracer({ sampleRatio: 1, add: (span) => void spans.push(span) });
  const span = tracer
    .open(undefined, { method: 'POST', path: '/v1/embeddings' })
    .start('embeddings tiny', 'client');
  const { child, latest } = supervise();
  const ask = (signal = never) => child.ask('work', { signal, deadlineMs: 500, span });
  const waits = () => spans.map(({ name, parentSpanId }) => [name, parentSpanId]);
  const started = ask();
  expect(waits()).toEqual([]);
  latest().say.message({ type: 'ready' });
  expect(waits()).toEqual([['queue', span.spanId]]);
  latest().say.message({ type: 'answer', id: 1, value: 1, memoryBytes: 0 });
  await started;
  const running = ask();
  const leaving = new AbortController();
  const left = ask(leaving.signal);
  const next = ask();
  expect(waits()).toHaveLength(1);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(waits()).toHaveLength(2);
  latest().say.message({ type: 'answer', id: 2, value: 2, memoryBytes: 0 });
  await running;
  expect(waits()).toHaveLength(3);
  const last = ask();
  void child.stop(AbortSignal.abort());
  latest().crash();
  await Promise.all([next, last].map((asked) => expect(asked).rejects.toMatchObject({ reason: 'stopped' })));
  expect(waits()).toHaveLength(4);
});
