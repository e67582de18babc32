import { expect, it } from 'vitest';
import { ownThread, threadCpuMs } from './thread-cpu.ts';

it.runIf(process.platform === 'linux')('tells the CPU time that a thread has used', () => {
  const thread = ownThread();
  const before = threadCpuMs(thread) ?? Number.NaN;
  while ((threadCpuMs(thread) ?? Number.NaN) < before + 20);
  expect(threadCpuMs(thread)).toBeGreaterThanOrEqual(before + 20);
  expect(threadCpuMs(thread, process.pid)).toBeGreaterThanOrEqual(before + 20);
});

it('returns nothing for a thread that does not exist', () => {
  expect([threadCpuMs(undefined), threadCpuMs(-1), threadCpuMs(ownThread(), -1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
