import { expect, it } from 'vitest';
import { Deadline } from './budgets.ts';

it('a deadline ends with the CPU time, not with the wall time', () => {
  let [nowMs, cpuMs] = [0, 1_000];
  const deadline = new Deadline(500, { nowMs: () => nowMs, cpuMs: () => cpuMs });
  [nowMs, cpuMs] = [60_000, 1_400];
  deadline.checkNow();
  // 100 ms of CPU time are left, so the deadline cannot end sooner.
  [nowMs, cpuMs] = [60_101, 1_499];
  deadline.checkNow();
  [nowMs, cpuMs] = [60_103, 1_500];
  expect(() => deadline.checkNow()).toThrow('longer than 500 ms');
});

it('a deadline ends with the wall time if CPU time is unknown', () => {
  let nowMs = 0;
  const deadline = new Deadline(500, { nowMs: () => nowMs, cpuMs: () => undefined });
  nowMs = 500;
  deadline.checkNow();
  nowMs = 501;
  expect(() => deadline.checkNow()).toThrow('longer than 500 ms');
});
