import { z } from 'zod';
import type { FoundChunk } from '../knowledge-search.ts';

const DECIMALS = 4;
const score = z.number().min(0);

/** Response body with the passages that a question finds. */
export const foundPassagesSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      document: z.string().describe('The id of its document.'),
      name: z.string().describe('The name of its document.'),
      page: z.int().nullable().describe('The page it begins on, where the document has pages.'),
      headings: z.array(z.string()).describe('The headings above it, outermost first.'),
      text: z.string(),
      score: z.number().describe('The passages are sorted by it.'),
      words: score.describe('How well the words fit; 0 where none of them is in it.'),
      meaning: z.number().nullable().describe('How near its meaning is; null where embeddings are away.'),
      relevance: score.max(1).describe('How likely it is an answer; comparable between questions.'),
    }),
  ),
});

/** Renders what was found. */
export function foundPassages(found: readonly FoundChunk[]): z.infer<typeof foundPassagesSchema> {
  return {
    object: 'list',
    data: found.map((chunk) => ({
      document: chunk.documentId,
      name: chunk.documentName,
      page: chunk.page ?? null,
      headings: [...chunk.headings],
      text: chunk.text,
      score: rounded(chunk.score),
      words: rounded(chunk.words),
      meaning: chunk.meaning === undefined ? null : rounded(chunk.meaning),
      relevance: rounded(chunk.relevance),
    })),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}
