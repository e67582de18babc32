import { expect, it } from 'vitest';
import { LastMinute } from './last-minute.ts';

it('gives back what was taken after a minute, never before', () => {
  const minute = new LastMinute();
  minute.add(1, 0.2);
  minute.add(2, 0.9);
  minute.add(4, 1.1);
  expect(minute.forgetOld(60_000.9)).toBe(0);
  expect(minute.overInMs(60_000.5, 'next')).toBe(0.5);
  expect(minute.overInMs(60_000.5, 'all')).toBe(1.5);
  expect(minute.forgetOld(60_001)).toBe(3);
  expect(minute.forgetOld(60_002)).toBe(4);
  expect(minute.overInMs(60_002, 'next')).toBeUndefined();
  expect(minute.overInMs(60_002, 'all')).toBeUndefined();
});

it('counts what is taken at the moment the last one expires', () => {
  const minute = new LastMinute();
  minute.add(1, 5);
  expect(minute.forgetOld(60_005)).toBe(1);
  minute.add(1, 60_005);
  minute.add(1, 60_005);
  expect(minute.forgetOld(120_004)).toBe(0);
  expect(minute.forgetOld(120_005)).toBe(2);
});

it('counts exactly over many minutes', () => {
  const minute = new LastMinute();
  let [held, expected] = [0, 0];
  const wrong: number[] = [];
  const taken: { readonly atMs: number; readonly amount: number }[] = [];
  for (let nowMs = 0; nowMs < 300_000; nowMs += 37.5) {
    held -= minute.forgetOld(nowMs);
    const amount = 1 + (Math.floor(nowMs) % 3);
    minute.add(amount, nowMs);
    taken.push({ atMs: Math.ceil(nowMs), amount });
    held += amount;
    expected += amount;
    while ((taken[0]?.atMs ?? nowMs) <= nowMs - 60_000) expected -= taken.shift()?.amount ?? 0;
    if (held !== expected) wrong.push(nowMs);
  }
  expect(wrong).toEqual([]);
});
