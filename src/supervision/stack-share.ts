const SHARE_OF_A_STACK = 3 / 4;

/** How many of a number of slots one stack may hold, at least one; the rest stays free for others. */
export function stackShare(slots: number): number {
  return Math.max(1, Math.floor(slots * SHARE_OF_A_STACK));
}
