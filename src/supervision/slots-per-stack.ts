const FRACTION_PER_STACK = 3 / 4;

/** How many of a number of slots one stack may hold, at least one; the rest stays free for others. */
export function slotsPerStack(slots: number): number {
  return Math.max(1, Math.floor(slots * FRACTION_PER_STACK));
}
