/** Upper bounds of the counts, in milliseconds; one more count is for what took longer. Stored counts rely on them: they never change. */
const BOUNDS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
] as const;

/** Counts of nothing. */
export function noLatencies(): number[] {
  return Array.from({ length: BOUNDS_MS.length + 1 }, () => 0);
}

/** The place of a latency among the counts. */
export function latencyPlace(latencyMs: number): number {
  let place = 0;
  for (const bound of BOUNDS_MS) {
    if (latencyMs <= bound) return place;
    place++;
  }
  return place;
}

/** The latency that a share of requests stayed under, as near as the counts tell: by a straight line within a count. */
export function latencyQuantile(counts: readonly number[], share: number, maxMs: number): number {
  const rank = share * counts.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [place, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lowestMs = BOUNDS_MS[place - 1] ?? 0;
      const highestMs = Math.min(BOUNDS_MS[place] ?? maxMs, maxMs);
      return lowestMs + Math.max(0, highestMs - lowestMs) * ((rank - before) / count);
    }
    before += count;
  }
  return 0;
}
