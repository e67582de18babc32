import type { Used } from '../access/meter.ts';
import type { EndedRequest } from '../access/usage-recorder.ts';
import { latencyBucket, noLatencies } from './latency-counts.ts';
import type { UsageDimension, UsageRow } from './usage-row.ts';

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

/** Sums that still grow. */
export interface OpenRow extends Mutable<Omit<UsageRow, 'latencyCounts'>> {
  readonly latencyCounts: number[];
}

/** No usage, without the distribution of latencies. */
export const noUsage = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  pages: 0,
  images: 0,
  pdfPages: 0,
  clientErrors: 0,
  limitErrors: 0,
  serverErrors: 0,
  gone: 0,
  costMicros: 0,
  latencyMs: 0,
  maxLatencyMs: 0,
};

/** A row without any request. */
export function openRow(dimensions: Readonly<Record<UsageDimension, string>>): OpenRow {
  return { ...dimensions, ...noUsage, latencyCounts: noLatencies() };
}

/** Adds a request to its row. */
export function addRequest(
  row: OpenRow,
  request: Used & Pick<EndedRequest, 'outcome' | 'latencyMs' | 'costMicros'>,
): void {
  addUse(row, request);
  addEnd(row, request);
}

function addUse(row: OpenRow, used: Used): void {
  row.promptTokens += used.promptTokens;
  row.completionTokens += used.completionTokens;
  row.pages += used.pages;
  row.images += used.images;
  row.pdfPages += used.pdfPages;
}

function addEnd(
  row: OpenRow,
  { outcome, latencyMs, costMicros }: Pick<EndedRequest, 'outcome' | 'latencyMs' | 'costMicros'>,
): void {
  row.requests++;
  row.costMicros += costMicros;
  if (outcome === 'client') row.clientErrors++;
  else if (outcome === 'limit') row.limitErrors++;
  else if (outcome === 'server') row.serverErrors++;
  else if (outcome === 'gone') row.gone++;
  row.latencyMs += latencyMs;
  row.maxLatencyMs = Math.max(row.maxLatencyMs, latencyMs);
  const bucket = latencyBucket(latencyMs);
  row.latencyCounts[bucket] = (row.latencyCounts[bucket] ?? 0) + 1;
}
