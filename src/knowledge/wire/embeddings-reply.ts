import * as z from 'zod';
import { Fault } from '../../faults/fault.ts';
import type { Embeddings } from '../embeddings-engine.ts';
import type { EmbeddingsRequest } from './embeddings-request.ts';

/** Response body of `POST /v1/embeddings`. */
export const embeddingsReplySchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int().describe('The place of the text in `input`.'),
      embedding: z
        .union([z.array(z.number()), z.string()])
        .describe('Numbers, or base64 where it was asked for; of length 1.'),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});

/** Renders the response; throws if another number of dimensions was asked for. */
export function embeddingsReply(
  { vectors, tokens }: Embeddings,
  { encoding, dimensions }: EmbeddingsRequest,
  model: string,
): z.infer<typeof embeddingsReplySchema> {
  const width = vectors[0]?.length ?? 0;
  if (dimensions !== undefined && dimensions !== width) {
    const message = `\`dimensions\` must be ${width} or absent, got ${dimensions}: "${model}" gives vectors of ${width} numbers.`;
    throw new Fault('invalid-request', message, { param: 'dimensions' });
  }
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: encoding === 'base64' ? base64Of(vector) : [...vector],
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((number, index) => void bytes.writeFloatLE(number, index * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}
