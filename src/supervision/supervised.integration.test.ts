import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { CountingClock } from '../../testing/bad-child/clocks.ts';
import { type BadStart, badFork, badWorker, Nursery } from '../../testing/bad-child/launch-bad-child.ts';
import type { RequestOptions } from './child-call.ts';
import { ChildExit, ChildFailure, ChildLost } from './child-lost.ts';
import type { LaunchChild } from './child-port.ts';
import { Supervised } from './supervised.ts';
import type { SupervisedOptions } from './supervised-options.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const long: RequestOptions = { signal: never, deadlineMs: 25_000 };
const backoff = { firstMs: 5, maxMs: 40, stableMs: 60_000, degradedAfterCrashes: 5 };

describeSupervised('a forked child', badFork);
describeSupervised('a worker thread', badWorker);

function describeSupervised(kind: string, bad: (start: BadStart) => LaunchChild) {
  describe(`Supervised, with ${kind}`, () => {
    let opened: { child: Supervised; nursery: Nursery; clock: CountingClock }[] = [];

    function supervise(
      options: Partial<SupervisedOptions> = {},
      choose: (n: number) => BadStart = () => 'good',
    ) {
      const nursery = new Nursery();
      const clock = new CountingClock();
      const child = new Supervised({
        name: 'bad child',
        launch: nursery.launcher((number) => bad(choose(number))),
        patience: { startTimeoutMs: 25_000, cancelGraceMs: 100, stopGraceMs: 10_000 },
        concurrency: 4,
        maxWaiting: 300,
        streamWindow: 4,
        backoff,
        clock,
        ...options,
      });
      opened.push({ child, nursery, clock });
      return { child, nursery, clock };
    }

    afterEach(async () => {
      for (const { child } of opened) await child.stop(AbortSignal.abort());
      const left = opened.map(({ nursery, clock }) => nursery.alive + clock.pending);
      opened = [];
      expect(left.every((count) => count === 0)).toBe(true);
    });

    test('starts on the first request, and answers', async () => {
      const { child, nursery } = supervise();
      expect(child.state).toBe('paused');
      expect(nursery.launched).toBe(0);
      const answer = child.ask({ operation: 'echo', value: { deep: [1n, new Uint8Array([7])] } }, long);
      expect(child.state).toBe('starting');
      expect(await answer).toEqual({ deep: [1n, new Uint8Array([7])] });
      expect(child.state).toBe('ready');
    });

    test('gives the child the environment it was told to, and nothing else', async () => {
      const { child } = supervise();
      expect(await child.ask({ operation: 'environment' }, long)).toMatchObject({ GREETING: 'hello' });
      expect(await child.ask({ operation: 'environment' }, long)).not.toHaveProperty('PATH');
    });

    test('streams every event in order, and returns the answer at the end', async () => {
      const { child } = supervise();
      const stream = child.stream({ operation: 'count', to: 100 }, long);
      const events: unknown[] = [];
      let step = await stream.next();
      for (; !step.done; step = await stream.next()) events.push(...step.value);
      expect(events).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
      expect(step.value).toBe('counted');
    });

    test('keeps a child that could flood from running ahead of a reader that stalls', async () => {
      const { child } = supervise();
      const stream = child.stream({ operation: 'flood' }, long);
      const first = await drainOne(stream);
      // Each answer shows that the child could have continued, and did not.
      for (let round = 0; round < 20; round += 1) await child.ask({ operation: 'echo' }, long);
      expect(await child.ask({ operation: 'produced' }, long)).toBe(first.length + 4);
      expect(await drainOne(stream)).toHaveLength(4);
      await stream.return(undefined);
      expect(await child.ask({ operation: 'echo', value: 'still there' }, long)).toBe('still there');
    });

    test('kills a child that sends without credit, and keeps no more than the window', async () => {
      const { child, nursery } = supervise();
      const stream = child.stream({ operation: 'floodWithoutCredit' }, long);
      const events = [...(await drainOne(stream))];
      await expect.poll(() => nursery.launched).toBe(2);
      const rest = (async () => {
        for await (const batch of stream) events.push(...batch);
      })();
      await expect(rest).rejects.toMatchObject({ name: 'ChildLost', reason: 'misbehaved' });
      expect(events.length).toBeLessThanOrEqual(8);
    });

    test('ends a stream that falls silent at its deadline', async () => {
      const { child } = supervise();
      const stream = child.stream({ operation: 'countThenHang' }, { signal: never, deadlineMs: 300 });
      expect((await stream.next()).value).toEqual([1]);
      await expect(stream.next()).rejects.toMatchObject({ reason: 'deadline', started: true });
    });

    test('gives what was streamed before a crash, and then the crash', async () => {
      const { child } = supervise();
      const stream = child.stream({ operation: 'countThenCrash' }, long);
      expect((await stream.next()).value).toEqual([1, 2]);
      await expect(stream.next()).rejects.toMatchObject({ reason: 'crashed', started: true });
    });

    test('tells a failure of the handler apart from a loss of the child', async () => {
      const { child, nursery } = supervise();
      const failure = await child.ask({ operation: 'fail' }, long).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ChildFailure);
      expect(failure).toMatchObject({ message: 'too far', thrownName: 'RangeError', code: 'too-far' });
      await expect(child.ask({ operation: 'uncloneable' }, long)).rejects.toBeInstanceOf(ChildFailure);
      await expect(child.ask({ operation: 'echo', value: () => {} }, long)).rejects.toThrow('cloned');
      await expect(child.ask({ operation: 'count', to: 3 }, long)).rejects.toThrow('streams');
      expect(nursery.launched).toBe(1);
    });

    test('passes buffers both ways', async () => {
      const { child } = supervise();
      expect(await child.ask({ operation: 'moved' }, long)).toEqual(new Uint8Array([1, 2, 3]));
      const bytes = new Uint8Array(1000);
      const options = { ...long, transfer: [bytes.buffer] };
      expect(await child.ask({ operation: 'byteLength', bytes }, options)).toBe(1000);
    });

    test('starts again after crashes at the start', async () => {
      const { child, nursery } = supervise({}, (number) => (number <= 3 ? 'crash' : 'good'));
      expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
      expect(nursery.launched).toBe(4);
    });

    test('fails what waits once it is degraded, and recovers by itself', async () => {
      const { child } = supervise({ backoff: { ...backoff, degradedAfterCrashes: 2 } }, (number) =>
        number <= 2 ? 'crash' : 'good',
      );
      const ready = child.ready(never);
      const answer = child.ask({ operation: 'echo' }, long);
      await expect(answer).rejects.toMatchObject({ name: 'ChildLost', reason: 'crashed', started: false });
      await expect(ready).rejects.toMatchObject({ name: 'ChildLost' });
      expect(child.state).toBe('degraded');
      await child.ready(never);
      expect(child.state).toBe('ready');
    });

    test('gives up on a start that never ends, even in a synchronous loop', async () => {
      const patience = { startTimeoutMs: 1_500, cancelGraceMs: 100, stopGraceMs: 10_000 };
      const degradedAtOnce = { ...backoff, degradedAfterCrashes: 1 };
      for (const start of ['never-ready', 'hang'] as const) {
        const { child } = supervise({ patience, backoff: degradedAtOnce }, () => start);
        await expect(child.ready(never)).rejects.toMatchObject({ reason: 'start-timeout' });
        await child.stop(AbortSignal.abort());
      }
    });

    test('treats an exit with code 0 as a crash', async () => {
      const { child, nursery } = supervise({}, (number) => (number === 1 ? 'exit' : 'good'));
      const lost = await child.ask({ operation: 'exitZero' }, long).catch((error: unknown) => error);
      expect(lost).toMatchObject({ reason: 'crashed', started: true, cause: { exitCode: 0 } });
      expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
      expect(nursery.launched).toBe(3);
    });

    test('keeps the last lines with the cause of a crash, never in its message', async () => {
      const lines: string[] = [];
      const { child } = supervise({
        observe: (event) => void (event.type === 'child-line' && lines.push(event.line)),
      });
      const lost = await child.ask({ operation: 'crashAfterLines' }, long).catch((error: unknown) => error);
      if (!(lost instanceof ChildLost) || !(lost.cause instanceof ChildExit)) throw lost;
      expect(lost.cause.lastLines).toEqual(expect.arrayContaining(['secret line one', 'secret line two']));
      expect(lines).toEqual(expect.arrayContaining(['secret line one', 'secret line two']));
      expect(`${lost} ${lost.cause}`).not.toContain('secret');
    });

    test('kills a child stuck in a synchronous loop at the deadline; the next request gets a new one', async () => {
      const { child } = supervise();
      const before = await child.ask({ operation: 'who' }, long);
      const stuck = child.ask({ operation: 'spinForever' }, { signal: never, deadlineMs: 500 });
      const behind = child.ask({ operation: 'echo' }, long);
      await expect(stuck).rejects.toMatchObject({ reason: 'deadline', started: true });
      await expect(behind).rejects.toMatchObject({ reason: 'deadline', started: false });
      expect(await child.ask({ operation: 'who' }, long)).not.toBe(before);
    });

    test('cancels without harm where the child listens', async () => {
      const { child, nursery } = supervise();
      await child.ready(never);
      const caller = new AbortController();
      const answer = child.ask({ operation: 'untilCancelled' }, { ...long, signal: caller.signal });
      caller.abort(new Error('changed my mind'));
      await expect(answer).rejects.toThrow('changed my mind');
      expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
      expect(nursery.launched).toBe(1);
    });

    test.each(['ignoreCancel', 'spinForever'])(
      'kills a child that ignores a cancel: %s',
      async (operation) => {
        const { child, nursery } = supervise();
        await child.ready(never);
        const caller = new AbortController();
        const answer = child.ask({ operation }, { ...long, signal: caller.signal });
        const other = child.ask({ operation: 'ignoreCancel' }, long);
        caller.abort(new Error('changed my mind'));
        await expect(answer).rejects.toThrow('changed my mind');
        await expect(other).rejects.toMatchObject({ reason: 'cancel-ignored' });
        expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
        expect(nursery.launched).toBe(2);
      },
    );

    test.each([
      'hello',
      null,
      { type: 'ready' },
      { type: 'answer', id: 999, memoryBytes: 0 },
      { type: 'answer', id: 1 },
      { type: 'failure', id: 1, memoryBytes: 0, error: 'no' },
      { type: 'batch', id: 1, events: [1] },
      { type: 'unheard-of', id: 1 },
    ])('kills a child that sends garbage: %j', async (message) => {
      const { child } = supervise();
      const answer = child.ask({ operation: 'garbage', message }, long);
      await expect(answer).rejects.toMatchObject({ reason: 'misbehaved' });
      expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
    });

    test('replaces a child that leaks, between requests', async () => {
      const recycle = { overMemoryBytes: 300 * 2 ** 20, freshStarts: 'after' } as const;
      const { child, nursery } = supervise({ recycle });
      for (let round = 0; round < 10; round += 1) {
        await child.ask({ operation: 'leak', sizeBytes: 80 * 2 ** 20 }, long);
      }
      expect(nursery.launched).toBeGreaterThan(1);
      expect(nursery.launched).toBeLessThan(7);
      expect(nursery.mostAlive).toBe(1);
    });

    test.each(['before', 'after'] as const)(
      'recycles by count under load, losing nothing: fresh %s',
      async (freshStarts) => {
        const { child, nursery } = supervise({ recycle: { afterRequests: 10, freshStarts } });
        const numbers = Array.from({ length: 50 }, (_, index) => index);
        const answers = numbers.map((value) => child.ask({ operation: 'echo', value }, long));
        expect(await Promise.all(answers)).toEqual(numbers);
        if (freshStarts === 'after') expect(nursery.launched).toBeGreaterThanOrEqual(5);
        await expect.poll(() => nursery.launched).toBeGreaterThanOrEqual(2);
        expect(nursery.mostAlive).toBeLessThanOrEqual(freshStarts === 'before' ? 3 : 1);
      },
    );

    test('pauses when idle, and wakes', async () => {
      const { child, nursery } = supervise({ idleMs: 30 });
      await child.ready(never);
      await expect.poll(() => [child.state, nursery.alive]).toEqual(['paused', 0]);
      expect(await child.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
      expect(nursery.launched).toBe(2);
    });

    test('bounds the requests that wait', async () => {
      const { child } = supervise({ maxWaiting: 1 });
      const first = child.ask({ operation: 'echo', value: 1 }, long);
      await expect(child.ask({ operation: 'echo' }, long)).rejects.toThrow('waiting already');
      expect(await first).toBe(1);
    });

    test('takes requests that wait in turns among stacks, and those without one as its own', async () => {
      const { child } = supervise({ concurrency: 1, maxWaitingPerStack: 3 });
      const order: unknown[] = [];
      const asked = ['many 1', 'many 2', 'many 3', 'other 1', ' 1', 'other 2'].map(async (value) => {
        const [stackId = ''] = value.split(' ');
        const options = stackId === '' ? long : { ...long, stackId };
        order.push(await child.ask({ operation: 'echo', value }, options));
      });
      await expect(child.ask({ operation: 'echo' }, { ...long, stackId: 'many' })).rejects.toThrow(
        '3 requests of the same stack',
      );
      await Promise.all(asked);
      expect(order).toEqual(['many 1', 'other 1', ' 1', 'many 2', 'other 2', 'many 3']);
    });

    test('leaves by the signal before the start, and while waiting for it', async () => {
      const { child, nursery } = supervise({}, () => 'never-ready');
      const aborted = { ...long, signal: AbortSignal.abort(new Error('too late')) };
      await expect(child.ask({ operation: 'echo' }, aborted)).rejects.toThrow('too late');
      await expect(drain(child.stream({ operation: 'flood' }, aborted))).rejects.toThrow('too late');
      await expect(child.ready(aborted.signal)).rejects.toThrow('too late');
      expect(nursery.launched).toBe(0);
      const caller = new AbortController();
      const waits = [
        child.ask({ operation: 'echo' }, { ...long, signal: caller.signal }),
        drain(child.stream({ operation: 'flood' }, { ...long, signal: caller.signal })),
        child.ready(caller.signal),
      ];
      caller.abort(new Error('changed my mind'));
      const outcomes = await Promise.allSettled(waits);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: new Error('changed my mind') });
    });

    test('finishes work in flight before it stops, and refuses the rest', async () => {
      const { child, nursery } = supervise({ concurrency: 1 });
      const stream = child.stream({ operation: 'count', to: 30 }, long);
      await stream.next();
      const waiting = child.ask({ operation: 'echo' }, long);
      const stopped = child.stop(never);
      await expect(waiting).rejects.toMatchObject({ reason: 'stopped', started: false });
      await expect(child.ask({ operation: 'echo' }, long)).rejects.toMatchObject({ reason: 'stopped' });
      await expect(child.ready(never)).rejects.toMatchObject({ reason: 'stopped' });
      expect((await drain(stream)).at(-1)).toBe(30);
      await stopped;
      expect(nursery.alive).toBe(0);
      expect(child.state).toBe('paused');
    });

    test('kills work in flight when the stop itself is cut short', async () => {
      const { child } = supervise();
      await child.ready(never);
      const answer = child.ask({ operation: 'ignoreCancel' }, long);
      const rejected = expect(answer).rejects.toMatchObject({ reason: 'stopped' });
      const cut = new AbortController();
      const stopped = child.stop(cut.signal);
      cut.abort();
      await stopped;
      await rejected;
    });

    test.each(['crash-at-close', 'hang-at-close'] as const)(
      'stops a child that does not end well: %s',
      async (start) => {
        const patience = { startTimeoutMs: 25_000, cancelGraceMs: 100, stopGraceMs: 300 };
        const { child, nursery } = supervise({ patience }, () => start);
        await child.ready(never);
        await child.stop(never);
        expect(nursery.alive).toBe(0);
      },
    );

    test('after 200 random operations nothing is left', async () => {
      const { child, nursery, clock } = supervise({
        recycle: { afterRequests: 40, freshStarts: 'before' },
        backoff: { ...backoff, degradedAfterCrashes: 1000 },
      });
      const random = seededRandom(42);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 200 }, () => randomOperation(child, random)),
      );
      expect(outcomes).toHaveLength(200);
      expect(outcomes.some((outcome) => outcome.status === 'fulfilled')).toBe(true);
      await child.stop(never);
      expect({ alive: nursery.alive, timers: clock.pending }).toEqual({ alive: 0, timers: 0 });
    });
  });
}

async function randomOperation(child: Supervised, random: () => number): Promise<unknown> {
  const kinds = ['echo', 'echo', 'echo', 'fail', 'count', 'flood', 'untilCancelled', 'crashAfterLines'];
  const operation = random() < 0.03 ? 'spinForever' : (kinds[Math.floor(random() * kinds.length)] ?? 'echo');
  const isHung = operation === 'untilCancelled' || operation === 'spinForever';
  const caller = new AbortController();
  const options = { signal: caller.signal, deadlineMs: isHung ? 100 : 25_000 };
  if (random() < 0.2) queueMicrotask(() => caller.abort());
  if (operation !== 'count' && operation !== 'flood') return child.ask({ operation, value: 1 }, options);
  let reads = 0;
  for await (const _ of child.stream({ operation, to: 20 }, options)) {
    reads += 1;
    if (reads === 3 && operation === 'flood') caller.abort();
    if (reads === 3) break;
  }
  return reads;
}

function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

async function drainOne(stream: AsyncIterator<readonly unknown[], unknown>): Promise<readonly unknown[]> {
  const step = await stream.next();
  if (step.done) throw new Error('the stream has ended');
  return step.value;
}

async function drain(stream: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  for await (const batch of stream) events.push(...batch);
  return events;
}
