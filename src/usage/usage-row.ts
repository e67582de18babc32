import type { Used } from '../access/meter.ts';

/** The dimensions of usage. */
export type UsageDimension = 'day' | 'account' | 'stack' | 'key' | 'endpoint' | 'model';

/** Sums over a set of requests. */
export interface UsageSums extends Used {
  readonly requests: number;
  readonly clientErrors: number;
  /** Refused for a ceiling. */
  readonly limitErrors: number;
  readonly serverErrors: number;
  /** Abandoned by their clients. */
  readonly gone: number;
  /** In millionths of the currency's unit. */
  readonly costMicros: number;
  /** Sum of latencies. */
  readonly latencyMs: number;
  readonly maxLatencyMs: number;
  /** By the bounds of `latency-counts.ts`. */
  readonly latencyCounts: readonly number[];
}

/** Sums with all dimensions. */
export interface UsageRow extends UsageSums, Readonly<Record<UsageDimension, string>> {}

/** Sums with the requested dimensions. */
export interface UsageGroup extends UsageSums, Readonly<Partial<Record<UsageDimension, string>>> {}
