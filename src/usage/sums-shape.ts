import { z } from 'zod';

/** The shape of sums of usage, as JSON. */
export const sumsShape = z.object({
  requests: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  pages: z.number(),
  images: z.number(),
  pdfPages: z.number(),
  clientErrors: z.number(),
  limitErrors: z.number(),
  serverErrors: z.number(),
  gone: z.number(),
  costMicros: z.number(),
  latencyMs: z.number(),
  maxLatencyMs: z.number(),
  latencyCounts: z.array(z.number()),
});
