import { z } from 'zod';
import { passageField, passageSchema } from '../../text/wire/knowledge-field.ts';
import type { FoundChunk } from '../knowledge-search.ts';

const DECIMALS = 4;

const foundPassageSchema = passageSchema.extend({
  headings: z.array(z.string()).describe('The headings above it, outermost first.'),
  words: z.number().min(0).describe('How well the words fit; 0 where none of them is in it.'),
  meaning: z.number().nullable().describe('How near its meaning is; null where embeddings are away.'),
  fused: z.number().describe('Words and meaning together; the passages are sorted by it.'),
});

/** Response body with the passages that a question finds. */
export const foundPassagesSchema = z.object({
  object: z.literal('list'),
  data: z.array(foundPassageSchema),
});

/** Renders what was found. */
export function foundPassages(found: readonly FoundChunk[]): z.infer<typeof foundPassagesSchema> {
  return { object: 'list', data: found.map(foundPassage) };
}

/** A passage in the format of all answers, with its place in the document and what its order is made of. */
export function foundPassage(chunk: FoundChunk): z.infer<typeof foundPassageSchema> {
  return {
    ...passageField(chunk),
    headings: [...chunk.headings],
    words: rounded(chunk.words),
    meaning: chunk.meaning === undefined ? null : rounded(chunk.meaning),
    fused: rounded(chunk.score),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
