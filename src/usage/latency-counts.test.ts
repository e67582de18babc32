import { describe, expect, it } from 'vitest';
import { latencyBucket, latencyQuantile, noLatencies } from './latency-counts.ts';

describe('latency counts', () => {
  it.each([
    [0, 0],
    [5, 0],
    [5.1, 1],
    [300_000, 14],
    [300_001, 15],
  ])('have a bucket for %d ms: %i', (latencyMs, bucket) => {
    expect(latencyBucket(latencyMs)).toBe(bucket);
    expect(bucket).toBeLessThan(noLatencies().length);
  });

  it('give quantiles', () => {
    const counts = noLatencies();
    for (let latencyMs = 1; latencyMs <= 100; latencyMs++) {
      const bucket = latencyBucket(latencyMs);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(latencyQuantile(counts, 0.5, 100)).toBeCloseTo(50, 5);
    expect(latencyQuantile(counts, 0.95, 100)).toBeCloseTo(95, 5);
    expect(latencyQuantile(counts, 1, 100)).toBe(100);
  });

  it('never exceed the longest', () => {
    const counts = noLatencies().with(latencyBucket(101), 1);
    expect(latencyQuantile(counts, 1, 101)).toBe(101);
    expect(latencyQuantile(noLatencies().with(15, 1), 1, 400_000)).toBe(400_000);
  });

  it('are empty without requests', () => {
    expect(latencyQuantile(noLatencies(), 0.5, 0)).toBe(0);
    expect(latencyQuantile([], 0.5, 0)).toBe(0);
  });
});
