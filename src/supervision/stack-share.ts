const SHARE_OF_A_STACK = 3 / 4;

/** How many of some places one stack may hold, at least one; the rest is left to others, however long its work takes. */
export function stackShare(places: number): number {
  return Math.max(1, Math.floor(places * SHARE_OF_A_STACK));
}
