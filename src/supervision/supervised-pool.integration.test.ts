import { afterEach, expect, test } from 'vitest';
import { badWorker, Nursery } from '../../testing/bad-child/launch-bad-child.ts';
import { Supervised } from './supervised.ts';
import { SupervisedPool } from './supervised-pool.ts';

const never = new AbortController().signal;
const long = { signal: never, deadlineMs: 25_000 };
let pool: SupervisedPool | undefined;

afterEach(() => pool?.stop(AbortSignal.abort()));

function makePool(
  size: number,
  { maxWaiting = 10, spares = 0 } = {},
): { pool: SupervisedPool; nursery: Nursery } {
  const nursery = new Nursery();
  const members = Array.from(
    { length: size },
    () =>
      new Supervised({
        name: 'bad child',
        launch: nursery.launcher(() => badWorker('good')),
        patience: { startTimeoutMs: 25_000, cancelGraceMs: 100, stopGraceMs: 10_000 },
        concurrency: 1,
        maxWaiting: 1,
        streamWindow: 4,
        backoff: { firstMs: 5, maxMs: 40, stableMs: 60_000, degradedAfterCrashes: 3 },
      }),
  );
  pool = new SupervisedPool({ name: 'bad children', members, maxWaiting, spares });
  return { pool, nursery };
}

test('requests pass by a child that hangs, and no child is started without need', async () => {
  const { pool: bad, nursery } = makePool(3);
  expect(bad.state).toBe('paused');
  const leaving = new AbortController();
  const hung = bad.ask({ operation: 'spinForever' }, { ...long, signal: leaving.signal });
  for (let value = 0; value < 5; value += 1) {
    expect(await bad.ask({ operation: 'echo', value }, long)).toBe(value);
  }
  expect(nursery.launched).toBe(2);
  leaving.abort(new Error('gone'));
  await expect(hung).rejects.toThrow('gone');
});

test('a spare is started for the next request, as long as there is one to start', async () => {
  const { pool: bad, nursery } = makePool(3, { spares: 1 });
  expect(await bad.ask({ operation: 'echo', value: 1 }, long)).toBe(1);
  expect(await bad.ask({ operation: 'echo', value: 2 }, long)).toBe(2);
  expect(nursery.launched).toBe(2);
  const leaving = new AbortController();
  const hung = [1, 2, 3].map(() =>
    bad.ask({ operation: 'spinForever' }, { ...long, signal: leaving.signal }),
  );
  const ended = hung.map((one) => expect(one).rejects.toThrow('gone'));
  await expect.poll(() => bad.running).toBe(3);
  expect(nursery.launched).toBe(3);
  leaving.abort(new Error('gone'));
  await Promise.all(ended);
});

test('the child that worked last is asked again, so that large memory stays in few of them', async () => {
  const { pool: bad } = makePool(2);
  const who = () => bad.ask({ operation: 'who' }, long);
  expect(new Set(await Promise.all([who(), who()])).size).toBe(2);
  const asked = [await who(), await who(), await who()];
  expect(new Set(asked).size).toBe(1);
});

test('a child that was killed for its request serves again', async () => {
  const { pool: bad } = makePool(1);
  const late = bad.ask({ operation: 'spinForever' }, { signal: never, deadlineMs: 200 });
  const next = bad.ask({ operation: 'echo', value: 7 }, long);
  await expect(late).rejects.toMatchObject({ reason: 'deadline', started: true });
  expect(await next).toBe(7);
  expect(bad.waiting).toBe(0);
});

test('waiting requests are bounded, and can be aborted', async () => {
  const { pool: bad } = makePool(1, { maxWaiting: 1 });
  const leaving = new AbortController();
  const first = bad.ask({ operation: 'spinForever' }, { ...long, signal: leaving.signal });
  const second = bad.ask({ operation: 'echo', value: 2 }, { ...long, signal: leaving.signal });
  await expect.poll(() => bad.waiting).toBe(1);
  await expect(bad.ask({ operation: 'echo', value: 3 }, long)).rejects.toMatchObject({
    name: 'TooManyWaiting',
  });
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await expect(second).rejects.toThrow('gone');
  expect(bad.waiting).toBe(0);
  expect(await bad.ask({ operation: 'echo', value: 4 }, long)).toBe(4);
});

test('waiting requests take turns among stacks', async () => {
  const { pool: bad } = makePool(1);
  const leaving = new AbortController();
  const first = bad.ask({ operation: 'spinForever' }, { ...long, signal: leaving.signal });
  const order: unknown[] = [];
  const asked = ['many 1', 'many 2', 'many 3', 'other 1'].map(async (value) => {
    const [stackId = ''] = value.split(' ');
    order.push(await bad.ask({ operation: 'echo', value }, { ...long, stackId }));
  });
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await Promise.all(asked);
  expect(order).toEqual(['many 1', 'other 1', 'many 2', 'many 3']);
  expect([bad.running, bad.waiting]).toEqual([0, 0]);
});

test('stopping rejects waiting requests and ends every child', async () => {
  const { pool: bad, nursery } = makePool(1);
  const first = bad.ask({ operation: 'spinForever' }, long);
  const second = bad.ask({ operation: 'echo', value: 2 }, long);
  const refused = Promise.all([
    expect(first).rejects.toMatchObject({ reason: 'stopped' }),
    expect(second).rejects.toMatchObject({ reason: 'stopped', started: false }),
  ]);
  await expect.poll(() => bad.waiting).toBe(1);
  await bad.stop(AbortSignal.abort());
  await refused;
  expect(nursery.alive).toBe(0);
  await expect(bad.ask({ operation: 'echo', value: 3 }, long)).rejects.toMatchObject({ reason: 'stopped' });
});
