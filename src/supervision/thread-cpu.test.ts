import { expect, it } from 'vitest';
import { ownThread, threadCpuMs } from './thread-cpu.ts';

it.runIf(process.platform === 'linux')('tells the CPU time that a thread has used', () => {
  const thread = ownThread();
  const before = threadCpuMs(thread) ?? Number.NaN;
  while ((threadCpuMs(thread) ?? Number.NaN) < before + 20);
  expect(threadCpuMs(thread)).toBeGreaterThanOrEqual(before + 20);
});

it('tells nothing of a thread that is not there', () => {
  expect([threadCpuMs(undefined), threadCpuMs(-1)]).toEqual([undefined, undefined]);
});
