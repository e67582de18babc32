import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldClock } from '../../testing/held-clock.ts';
import { type ManyWrongKeys, WRONG_KEYS_PER_MINUTE, WrongKeys } from './wrong-keys.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reports an address with too many wrong keys once, when its minute is over', () => {
  const told: ManyWrongKeys[] = [];
  const wrongKeys = new WrongKeys(new HeldClock(), (many) => told.push(many));
  for (let count = 0; count < WRONG_KEYS_PER_MINUTE; count++) wrongKeys.refusal('10.0.0.2');
  for (let count = 0; count < WRONG_KEYS_PER_MINUTE + 7; count++) wrongKeys.refusal('::ffff:10.0.0.1');
  vi.advanceTimersByTime(59_999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual([{ client: '10.0.0.1', wrongKeys: WRONG_KEYS_PER_MINUTE + 7 }]);
});
