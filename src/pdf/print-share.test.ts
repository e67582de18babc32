import { expect, it } from 'vitest';
import { PrintShare } from './print-share.ts';

/** Prints documents of a length one after the other, with pauses; returns which of them began above the share. */
function print(
  share: PrintShare,
  stackId: string,
  each: { lastsMs: number; pauseMs: number; count: number },
) {
  let startMs = 10_000;
  return Array.from({ length: each.count }, () => {
    const isAbove = share.isExceeded(stackId, startMs);
    share.note(stackId, { startMs, endMs: startMs + each.lastsMs });
    startMs += each.lastsMs + each.pauseMs;
    return isAbove;
  });
}

it('is exceeded by a stack that prints all of the time, after a moment', () => {
  expect(print(new PrintShare(), 'shop', { lastsMs: 300, pauseMs: 1, count: 5 })).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it('is not exceeded by one long document, nor by printing half of the time', () => {
  const share = new PrintShare();
  expect(print(share, 'long', { lastsMs: 30_000, pauseMs: 6_000, count: 3 })).not.toContain(true);
  expect(print(share, 'half', { lastsMs: 400, pauseMs: 400, count: 100 })).not.toContain(true);
});

it('counts documents that are printed at the same time', () => {
  const share = new PrintShare();
  for (let document = 0; document < 3; document += 1) share.note('shop', { startMs: 0, endMs: 400 });
  expect(share.isExceeded('shop', 400)).toBe(true);
});

it('is each stack’s own, and forgotten soon', () => {
  const share = new PrintShare();
  for (let document = 0; document < 100; document += 1) share.note('shop', { startMs: 0, endMs: 10_000 });
  expect([share.isExceeded('shop', 10_000), share.isExceeded('bank', 10_000)]).toEqual([true, false]);
  expect(share.isExceeded('shop', 14_500)).toBe(false);
  share.note('bank', { startMs: 15_000, endMs: 15_001 });
  expect(share.stacks).toBe(1);
});
