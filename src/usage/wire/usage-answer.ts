import { z } from 'zod';
import { MICROS_PER_UNIT } from '../../access/price-list.ts';
import { latencyQuantile } from '../latency-counts.ts';
import type { UsageGroup } from '../usage-row.ts';

const dimension = z.string().optional();

/** A usage group, for clients and operators. */
export const usageGroupSchema = z.object({
  day: dimension.describe('A date in UTC; like the next three, only where `by` asks for it.'),
  account: dimension.describe('For operators only.'),
  stack: dimension.describe('For operators only.'),
  key: dimension,
  endpoint: dimension,
  model: dimension.describe('Empty where no model was asked.'),
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  pages: z.int().describe('Pages read for extraction.'),
  images: z.int().describe('Images painted.'),
  pdf_pages: z.int().describe('Pages printed.'),
  cost: z.number().describe('In the currency of the prices, at the prices of the time.'),
  errors: z.object({
    client: z.int().describe('Refused for what was asked: 4xx but 429.'),
    limit: z.int().describe('Refused for a ceiling: 429.'),
    server: z.int().describe('Failed on this side: 5xx, and streams that broke off.'),
    gone: z.int().describe('Left by the client before the answer was complete.'),
  }),
  latency_ms: z.object({
    mean: z.number(),
    p50: z.number().describe('As near as a histogram tells.'),
    p95: z.number().describe('As near as a histogram tells.'),
    max: z.number(),
  }),
});

/** Renders a group. */
export function usageAnswer(group: UsageGroup): z.infer<typeof usageGroupSchema> {
  const { day, account, stack, key, endpoint, model, requests, latencyCounts, maxLatencyMs } = group;
  const { promptTokens, completionTokens } = group;
  return {
    day,
    account,
    stack,
    key,
    endpoint,
    model,
    requests,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    pages: group.pages,
    images: group.images,
    pdf_pages: group.pdfPages,
    cost: Math.round(group.costMicros) / MICROS_PER_UNIT,
    errors: {
      client: group.clientErrors,
      limit: group.limitErrors,
      server: group.serverErrors,
      gone: group.gone,
    },
    latency_ms: {
      mean: requests === 0 ? 0 : tenths(group.latencyMs / requests),
      p50: tenths(latencyQuantile(latencyCounts, 0.5, maxLatencyMs)),
      p95: tenths(latencyQuantile(latencyCounts, 0.95, maxLatencyMs)),
      max: tenths(maxLatencyMs),
    },
  };
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
