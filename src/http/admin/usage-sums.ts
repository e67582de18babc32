import { z } from 'zod';
import { MICROS_PER_UNIT } from '../../access/price-list.ts';
import type { noUsage } from '../../usage/usage-sums.ts';

/** Sums of usage, with the names of `/v1/usage`. */
export const usageSumsSchema = z.object({
  requests: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  pages: z.int(),
  images: z.int(),
  pdf_pages: z.int(),
  cost: z.number(),
  errors: z.object({ client: z.int(), limit: z.int(), server: z.int(), gone: z.int() }),
  latency_ms: z.object({ mean: z.number(), max: z.number() }),
});

/** Renders sums. */
export function usageSums(sums: typeof noUsage): z.infer<typeof usageSumsSchema> {
  return {
    requests: sums.requests,
    prompt_tokens: sums.promptTokens,
    completion_tokens: sums.completionTokens,
    total_tokens: sums.promptTokens + sums.completionTokens,
    pages: sums.pages,
    images: sums.images,
    pdf_pages: sums.pdfPages,
    cost: Math.round(sums.costMicros) / MICROS_PER_UNIT,
    errors: {
      client: sums.clientErrors,
      limit: sums.limitErrors,
      server: sums.serverErrors,
      gone: sums.gone,
    },
    latency_ms: { mean: tenths(sums.latencyMs / Math.max(1, sums.requests)), max: tenths(sums.maxLatencyMs) },
  };
}

/** A value for people, with one digit after the point. */
export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
