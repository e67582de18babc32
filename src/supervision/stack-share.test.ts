import { expect, it } from 'vitest';
import { stackShare } from './stack-share.ts';

it('is three quarters of the slots, and at least one', () => {
  expect([512, 32, 8, 3, 2, 1].map(stackShare)).toEqual([384, 24, 6, 2, 1, 1]);
});
