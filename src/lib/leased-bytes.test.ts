import { expect, it } from 'vitest';
import { LeasedBytes } from './leased-bytes.ts';

it('frees bytes when the last of their holders lets go, once each', () => {
  const bytes = Buffer.allocUnsafeSlow(10_000);
  const lease = new LeasedBytes(bytes);
  const [first, second] = [lease.hold(), lease.hold()];
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(bytes).toHaveLength(10_000);
  const third = lease.hold();
  second[Symbol.dispose]();
  expect(bytes).toHaveLength(10_000);
  third[Symbol.dispose]();
  expect(bytes).toHaveLength(0);
});
