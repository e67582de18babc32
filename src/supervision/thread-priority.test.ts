import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { lowerThreadPriority } from './thread-priority.ts';

const tellThread = `
  const { readlinkSync } = require('node:fs');
  const { parentPort } = require('node:worker_threads');
  parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  parentPort.on('message', () => {});
`;

it.runIf(process.platform === 'linux')('is lowered for one thread alone', async () => {
  const before = getPriority();
  const worker = new Worker(tellThread, { eval: true });
  const thread = await new Promise<number>((resolve) => worker.once('message', resolve));
  expect(getPriority(thread)).toBe(before);
  expect(lowerThreadPriority(thread)).toBe(true);
  expect(getPriority(thread)).toBeGreaterThan(before);
  expect(getPriority()).toBe(before);
  await worker.terminate();
});

it('cannot be lowered for a thread that is not known or not there', () => {
  expect([lowerThreadPriority(undefined), lowerThreadPriority(-1)]).toEqual([false, false]);
});
