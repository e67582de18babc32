import { latencyBucket, noLatencies } from '../../src/usage/latency-counts.ts';
import type { UsageRow } from '../../src/usage/usage-row.ts';
import { noUsage } from '../../src/usage/usage-sums.ts';

/** A row of one request of 7 ms that used nothing, with overrides. */
export function usageRow(changes: Partial<UsageRow> = {}): UsageRow {
  return {
    day: '2026-11-16',
    account: 'acme',
    stack: 'shop',
    key: 'web',
    endpoint: '/v1/chat/completions',
    model: 'tiny',
    ...noUsage,
    requests: 1,
    latencyMs: 7,
    maxLatencyMs: 7,
    latencyCounts: noLatencies().with(latencyBucket(7), 1),
    ...changes,
  };
}
