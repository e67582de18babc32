/**
 * Upper bounds of the buckets, in milliseconds; one more bucket is for longer latencies. They must never change: stored counts
 * depend on them.
 */
const BOUNDS_MS = [
  5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
] as const;

export function noLatencies(): number[] {
  return Array.from({ length: BOUNDS_MS.length + 1 }, () => 0);
}

/** The bucket of a latency. */
export function latencyBucket(latencyMs: number): number {
  let bucket = 0;
  for (const bound of BOUNDS_MS) {
    if (latencyMs <= bound) return bucket;
    bucket++;
  }
  return bucket;
}

/** A quantile of the latencies, interpolated linearly within a bucket. */
export function latencyQuantile(counts: readonly number[], fraction: number, maxMs: number): number {
  const rank = fraction * counts.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const lowestMs = BOUNDS_MS[bucket - 1] ?? 0;
      const highestMs = Math.min(BOUNDS_MS[bucket] ?? maxMs, maxMs);
      return lowestMs + Math.max(0, highestMs - lowestMs) * ((rank - before) / count);
    }
    before += count;
  }
  return 0;
}
