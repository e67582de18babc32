import { z } from 'zod';
import { IMAGE_SIZES } from '../image-sizes.ts';
import { MAX_GUIDANCE, MAX_STEPS } from './check-fields.ts';

/** The fields of an image request, for the API description; validation is in check-fields.ts, with a code per field. */
export const imageRequestSchema = z.object({
  prompt: z
    .string()
    .nullish()
    .describe(
      'What to paint, or what to change; absent or blank: the prompt of the key. Cut at 2,000 characters.',
    ),
  size: z.enum(IMAGE_SIZES).nullish().describe('1024x1024 unless said.'),
  steps: z.int().min(1).max(MAX_STEPS).nullish().describe('4 unless said.'),
  guidance_scale: z.number().min(0).max(MAX_GUIDANCE).nullish().describe('1 unless said.'),
  seed: z
    .number()
    .min(0)
    .meta({ type: 'integer' })
    .nullish()
    .describe('An integer from 0 to 18446744073709551615; drawn unless said.'),
  n: z.literal(1).nullish(),
  response_format: z.literal('b64_json').nullish(),
  model: z.string().nullish().describe('On edits: the served model. Elsewhere ignored.'),
});
