import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { hashSecret } from './key-secret.ts';
import { MAX_SUSPECTS_PER_ADDRESS, SUSPECTS_AT_A_TIME, SuspectQueue } from './suspect-queue.ts';

const here = '10.0.0.1';
const stays = new AbortController().signal;
setMaxListeners(0, stays);

let directory: FakeCallerDirectory;
let pauses: (() => void)[];
let queue: SuspectQueue;

beforeEach(() => {
  directory = new FakeCallerDirectory();
  pauses = [];
  queue = new SuspectQueue({
    directory,
    refusal: () => new Error('full'),
    afterPause: (work) => pauses.push(work),
  });
});

async function endPause(): Promise<void> {
  expect(pauses).toHaveLength(1);
  pauses.shift()?.();
  await setImmediate();
}

function join(count: number, address = here): { readonly answered: () => number } {
  let answered = 0;
  for (let index = 0; index < count; index++) {
    void queue.isKey(`${address}-${index}`, address, stays).then(() => {
      answered++;
    });
  }
  return { answered: () => answered };
}

it('refuses a batch after each pause, looks each key up once, and stops when the queue is empty', async () => {
  const { answered } = join(2 * SUSPECTS_AT_A_TIME + 1);
  await setImmediate();
  expect(answered()).toBe(0);
  for (const served of [SUSPECTS_AT_A_TIME, 2 * SUSPECTS_AT_A_TIME, 2 * SUSPECTS_AT_A_TIME + 1]) {
    await endPause();
    expect(answered()).toBe(served);
  }
  expect(directory.questions.map((hashes) => hashes.length)).toEqual([2 * SUSPECTS_AT_A_TIME + 1]);
  expect(pauses).toEqual([]);
});

it('serves addresses in turns', async () => {
  join(MAX_SUSPECTS_PER_ADDRESS);
  const other = join(SUSPECTS_AT_A_TIME / 2, '10.0.0.2');
  await endPause();
  expect(other.answered()).toBe(SUSPECTS_AT_A_TIME / 2);
});

it('tells which keys exist, without a query for what cannot be a key', async () => {
  directory.add('sk-good', makeCaller());
  const none = queue.isKey(undefined, here, stays);
  await endPause();
  expect(await none).toBe(false);
  expect(directory.questions).toEqual([]);
  const asked = ['sk-good', 'sk-wrong'].map((secret) => queue.isKey(hashSecret(secret), here, stays));
  await endPause();
  expect(await Promise.all(asked)).toEqual([true, false]);
});

it('lets a key go on after one pause, however many wrong ones wait before it', async () => {
  directory.add('sk-good', makeCaller());
  const { answered } = join(MAX_SUSPECTS_PER_ADDRESS - 1);
  const good = queue.isKey(hashSecret('sk-good'), here, stays);
  await endPause();
  expect(await good).toBe(true);
  expect(answered()).toBe(SUSPECTS_AT_A_TIME);
});

it('refuses keys above the bound of an address', async () => {
  join(MAX_SUSPECTS_PER_ADDRESS);
  await expect(queue.isKey('more', here, stays)).rejects.toThrow('full');
  join(1, '10.0.0.2');
});

it('removes aborted requests and serves others in their turn', async () => {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const left = Array.from({ length: SUSPECTS_AT_A_TIME }, () =>
    queue.isKey('gone', here, leaving.signal).catch((error: unknown) => error),
  );
  const { answered } = join(1);
  leaving.abort('left');
  expect(new Set(await Promise.all(left))).toEqual(new Set(['left']));
  await endPause();
  expect(answered()).toBe(1);
});

it('passes a failure of the directory on, and serves the next', async () => {
  directory.failure = new Error('away');
  const failed = queue.isKey('one', here, stays).catch((error: unknown) => error);
  await endPause();
  expect(await failed).toBe(directory.failure);
  directory.failure = undefined;
  const { answered } = join(1);
  await endPause();
  expect(answered()).toBe(1);
});
