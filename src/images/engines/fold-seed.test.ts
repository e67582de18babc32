import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldSeed } from './fold-seed.ts';

it('leaves a seed that fits as it is', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (seed) => {
      expect(foldSeed(BigInt(seed))).toBe(seed);
    }),
  );
});

it('makes every seed fit, and uses all of its bits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(63), (seed, bit) => {
      const folded = foldSeed(seed);
      expect(Number.isInteger(folded) && folded >= 0 && folded < 2 ** 31).toBe(true);
      expect(foldSeed(seed ^ (1n << BigInt(bit)))).not.toBe(folded);
    }),
  );
});
