import { z } from 'zod';
import { knowledgeFieldSchema } from '../knowledge-field.ts';

/** A whole response, for the API description; `output` has the items of the format. */
export const responseSchema = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int().describe('Unix time in seconds.'),
  status: z.enum(['completed', 'incomplete', 'failed', 'in_progress', 'queued', 'cancelled']),
  model: z.string().describe('The name asked for, or the model of the engine that stood in.'),
  output: z
    .array(z.looseObject({ id: z.string(), type: z.string() }))
    .describe('Items: `message`, `reasoning`, `function_call`, `custom_tool_call`.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable(),
  knowledge: knowledgeFieldSchema.optional(),
  store: z.boolean().describe('False: responses are not kept.'),
});
