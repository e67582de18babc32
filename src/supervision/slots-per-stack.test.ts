import { expect, it } from 'vitest';
import { slotsPerStack } from './slots-per-stack.ts';

it('is three quarters of the slots, and at least one', () => {
  expect([512, 32, 8, 3, 2, 1].map(slotsPerStack)).toEqual([384, 24, 6, 2, 1, 1]);
});
