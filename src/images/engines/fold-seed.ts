const BITS = 31n;
const MASK = 2n ** BITS - 1n;

/**
 * The seed for servers that keep it in a signed number of 32 bits: its 31-bit pieces, added without carry. A seed below
 * 2,147,483,648 stays as it is.
 */
export function foldSeed(seed: bigint): number {
  let folded = 0n;
  for (let rest = seed; rest > 0n; rest >>= BITS) folded ^= rest & MASK;
  return Number(folded);
}
