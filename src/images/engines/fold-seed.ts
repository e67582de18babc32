const BITS = 31n;
const MASK = 2n ** BITS - 1n;

/** Folds a seed for servers with signed 32-bit seeds: XOR of its 31-bit pieces. Seeds below 2,147,483,648 stay the same. */
export function foldSeed(seed: bigint): number {
  let folded = 0n;
  for (let rest = seed; rest > 0n; rest >>= BITS) folded ^= rest & MASK;
  return Number(folded);
}
