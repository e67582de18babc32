import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HeldClock } from '../../testing/bad-child/clocks.ts';
import { keepLease } from './kept-lease.ts';

const PERIOD_MS = 1_000;

class TakenOver extends Error {}

function setUp() {
  const clock = new HeldClock();
  const renewals: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const lease = keepLease({
    clock,
    periodMs: PERIOD_MS,
    renew: () => new Promise<void>((resolve, reject) => renewals.push({ resolve, reject })),
    isLost: (error) => error instanceof TakenOver,
  });
  return { clock, renewals, lease };
}

it('renews once a period, one renewal at a time', async () => {
  const { clock, renewals } = setUp();
  expect(renewals).toHaveLength(0);
  clock.pass(PERIOD_MS);
  clock.pass(5 * PERIOD_MS);
  expect(renewals).toHaveLength(1);
  renewals[0]?.resolve();
  await nextTurn();
  clock.pass(PERIOD_MS);
  expect(renewals).toHaveLength(2);
});

it('ignores a failure that may pass, and aborts when another process has the lease', async () => {
  const { clock, renewals, lease } = setUp();
  clock.pass(PERIOD_MS);
  renewals[0]?.reject(new Error('the database is away'));
  await nextTurn();
  expect(lease.lost.aborted).toBe(false);
  clock.pass(PERIOD_MS);
  renewals[1]?.reject(new TakenOver());
  await nextTurn();
  expect(lease.lost.reason).toBeInstanceOf(TakenOver);
});

it('renews no more once it was ended, even if a renewal was under way', async () => {
  const { clock, renewals, lease } = setUp();
  clock.pass(PERIOD_MS);
  lease.end();
  renewals[0]?.resolve();
  await nextTurn();
  clock.pass(5 * PERIOD_MS);
  expect(renewals).toHaveLength(1);
});
