import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { turnNowMs } from './clock.ts';

/** Blocks the event loop until the clock has moved. */
function work(): number {
  const startedMs = performance.now();
  while (performance.now() - startedMs < 3);
  return performance.now();
}

test('time stands still within one callback', async () => {
  const first = turnNowMs();
  const afterWorkMs = work();
  expect(turnNowMs()).toBe(first);
  await sleep(0);
  expect(turnNowMs()).toBeGreaterThanOrEqual(afterWorkMs);
});

test('every callback gets a new time', async () => {
  const seen: number[] = [];
  const look = () => {
    const startedMs = performance.now();
    expect(turnNowMs()).toBeGreaterThanOrEqual(startedMs);
    seen.push(turnNowMs());
    work();
  };
  // Timers due together run in one turn of the loop.
  for (let index = 0; index < 3; index++) setTimeout(look, 1);
  await sleep(20);
  expect(new Set(seen).size).toBe(3);
});
