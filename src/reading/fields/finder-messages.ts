import { z } from 'zod';

const fieldSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string().optional(),
  choices: z.array(z.string()).optional(),
});

/** A request to the finder's process. */
export const findRequestSchema = z.object({
  words: z.array(
    z.object({ text: z.string(), x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() }),
  ),
  question: z.object({
    fields: z.array(fieldSchema),
    lists: z.array(
      z.object({ name: z.string(), description: z.string().optional(), columns: z.array(fieldSchema) }),
    ),
  }),
});

const spanSchema = z.object({
  text: z.string(),
  words: z.array(z.object({ word: z.int(), start: z.int(), end: z.int() })),
  probability: z.number(),
});

/** Its answer. */
export const findAnswerSchema = z.object({
  fields: z.array(z.object({ none: z.number(), isTold: z.boolean(), spans: z.array(spanSchema) })),
  lists: z.array(z.array(z.array(spanSchema.or(z.undefined())))),
});
