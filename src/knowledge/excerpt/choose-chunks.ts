import type { FoundChunk } from '../knowledge-search.ts';

/** The longest prefix of the best chunks that is accepted, by binary search. */
export async function chooseChunks(
  best: readonly FoundChunk[],
  accepts: (chunks: readonly FoundChunk[]) => Promise<boolean>,
): Promise<readonly FoundChunk[]> {
  if (best.length === 0 || (await accepts(best))) return best;
  let accepted = 0;
  let refused = best.length;
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await accepts(best.slice(0, middle))) accepted = middle;
    else refused = middle;
  }
  return best.slice(0, accepted);
}
