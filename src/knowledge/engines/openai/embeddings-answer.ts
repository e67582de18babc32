import * as z from 'zod';
import { estimatedTextTokens } from '../../../text/prompt-size.ts';
import { unusable } from '../../../upstream/engine-faults.ts';
import type { Embeddings } from '../../embeddings-engine.ts';

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
  // llama-server and Ollama may omit it; tokens are then estimated.
  usage: z.object({ prompt_tokens: z.int().nonnegative() }).optional(),
});

/** Parses a server's answer; rejects a wrong number of vectors, mixed lengths and zero vectors. */
export function parseEmbeddingsAnswer(answer: unknown, texts: readonly string[]): Embeddings {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw unusable(parsed.error);
  const { data, usage } = parsed.data;
  const vectors = new Array<Float32Array | undefined>(texts.length).fill(undefined);
  data.forEach(({ index, embedding }, position) => {
    vectors[index ?? position] = unitVector(embedding);
  });
  const width = vectors[0]?.length;
  const whole = vectors.filter((vector) => vector !== undefined && vector.length === width);
  if (whole.length !== texts.length || vectors.length !== texts.length)
    throw unusable(
      new Error(
        `${texts.length} texts were sent and ${data.length} vectors came back, or of several lengths`,
      ),
    );
  const tokens = usage?.prompt_tokens ?? estimatedTextTokens(texts);
  return { vectors: whole.filter((vector) => vector !== undefined), tokens };
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers);
  if (!(length > 0 && Number.isFinite(length))) throw unusable(new Error('a vector has no direction'));
  return Float32Array.from(numbers, (number) => number / length);
}
