import { expect, it } from 'vitest';
import { Deadline } from './budgets.ts';

it('is over when the CPU time is, however long the clock says that it took', () => {
  let [nowMs, cpuMs] = [0, 1_000];
  const deadline = new Deadline(500, { nowMs: () => nowMs, cpuMs: () => cpuMs });
  [nowMs, cpuMs] = [60_000, 1_400];
  deadline.checkNow();
  // A hundred milliseconds of it are left, and can be over no sooner.
  [nowMs, cpuMs] = [60_101, 1_499];
  deadline.checkNow();
  [nowMs, cpuMs] = [60_103, 1_500];
  expect(() => deadline.checkNow()).toThrow('longer than 500 ms');
});

it('is over by the clock where nobody tells CPU time', () => {
  let nowMs = 0;
  const deadline = new Deadline(500, { nowMs: () => nowMs, cpuMs: () => undefined });
  nowMs = 500;
  deadline.checkNow();
  nowMs = 501;
  expect(() => deadline.checkNow()).toThrow('longer than 500 ms');
});
