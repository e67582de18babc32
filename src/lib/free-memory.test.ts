import { expect, it } from 'vitest';
import { freeMemory } from './free-memory.ts';

const SIZE_BYTES = 50_000_000;

/** Without a run of the collector: the test allows none to happen in between, as nothing waits. */
function heldBytes(): number {
  return process.memoryUsage().arrayBuffers;
}

it('frees memory at once, without the collector', () => {
  const before = heldBytes();
  const bytes = Buffer.allocUnsafeSlow(SIZE_BYTES).fill(1);
  expect(heldBytes() - before).toBeGreaterThanOrEqual(SIZE_BYTES);
  freeMemory(bytes);
  expect(bytes).toHaveLength(0);
  expect(heldBytes() - before).toBeLessThan(SIZE_BYTES / 2);
});

it('leaves memory alone that others may read', () => {
  const whole = Buffer.alloc(100, 'x');
  const part = whole.subarray(0, 50);
  freeMemory(part);
  expect(part.toString()).toBe('x'.repeat(50));
  expect(whole.toString()).toBe('x'.repeat(100));
});

it('frees the same memory twice, and none, without a failure', () => {
  const bytes = Buffer.allocUnsafeSlow(100);
  freeMemory(bytes);
  freeMemory(bytes);
  freeMemory(Buffer.alloc(0));
  expect(bytes).toHaveLength(0);
});
