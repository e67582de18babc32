import { expect, test, vi } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import type { LaunchChild } from './child-port.ts';
import { Supervised } from './supervised.ts';
import { SupervisedPool } from './supervised-pool.ts';

const IDLE_MS = 1_000;
const asking = { signal: new AbortController().signal, deadlineMs: 60_000 };

/** Children that are ready at once, answer at once, and end when they are told to. */
function makePool(options: {
  readonly size: number;
  readonly spares: number;
  /** The launch whose child never becomes ready. */
  readonly slow?: number;
}) {
  const clock = new HeldClock();
  const counts = { launched: 0, alive: 0 };
  const launch: LaunchChild = (listener) => {
    counts.launched += 1;
    counts.alive += 1;
    if (counts.launched !== options.slow) queueMicrotask(() => listener.message({ type: 'ready' }));
    const end = () => {
      counts.alive -= 1;
      listener.ended({ exitCode: 0, signal: null });
    };
    return {
      send(message) {
        if (message.type === 'stop') end();
        if (message.type === 'request')
          listener.message({ type: 'answer', id: message.id, value: 'done', memoryBytes: 0 });
      },
      kill: end,
    };
  };
  const member = () =>
    new Supervised({
      name: 'child',
      launch,
      patience: { startTimeoutMs: 60_000, cancelGraceMs: 100, stopGraceMs: 100 },
      concurrency: 1,
      maxWaiting: 1,
      streamWindow: 1,
      idleMs: IDLE_MS,
      clock,
    });
  const members = Array.from({ length: options.size }, member);
  const pool = new SupervisedPool({ name: 'children', members, maxWaiting: 10, spares: options.spares });
  return { pool, clock, counts, members };
}

test.each([0, 1, 2, 9])(
  'a pool of three with %i spares starts them with its first request',
  async (spares) => {
    const { pool, counts } = makePool({ size: 3, spares });
    expect(counts.launched).toBe(0);
    await pool.ask('work', asking);
    expect(counts.alive).toBe(Math.min(3, 1 + spares));
  },
);

test('spares stay as long as requests come, and end after them', async () => {
  const { pool, clock, counts } = makePool({ size: 3, spares: 2 });
  for (let request = 0; request < 5; request += 1) {
    await pool.ask('work', asking);
    clock.pass(IDLE_MS - 1);
  }
  expect(counts).toEqual({ launched: 3, alive: 3 });
  clock.pass(1);
  expect(counts).toEqual({ launched: 3, alive: 0 });
});

test('a spare that takes long to start is waited for once, however many requests come meanwhile', async () => {
  const { pool, counts, members } = makePool({ size: 2, spares: 1, slow: 1 });
  // The spare is started first.
  const waits = members.map((member) => vi.spyOn(member, 'ready'));
  for (let request = 0; request < 20; request += 1) await pool.ask('work', asking);
  expect(counts).toEqual({ launched: 2, alive: 2 });
  expect(waits.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
});
