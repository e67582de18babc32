import type { Used } from '../access/meter.ts';

/** What usage is told apart by. */
export type UsageDimension = 'day' | 'account' | 'stack' | 'key' | 'endpoint' | 'model';

/** The sums of requests that have something in common. */
export interface UsageSums extends Used {
  readonly requests: number;
  readonly clientErrors: number;
  /** Refused for a ceiling. */
  readonly limitErrors: number;
  readonly serverErrors: number;
  /** Left by their clients. */
  readonly gone: number;
  /** Of all of them together. */
  readonly latencyMs: number;
  readonly maxLatencyMs: number;
  /** How many took how long, by the bounds of `latency-counts.ts`. */
  readonly latencyCounts: readonly number[];
}

/** Sums, and what they are of. */
export interface UsageRow extends UsageSums, Readonly<Record<UsageDimension, string>> {}

/** Sums, with those dimensions that were asked for. */
export interface UsageGroup extends UsageSums, Readonly<Partial<Record<UsageDimension, string>>> {}
