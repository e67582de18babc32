import { z } from 'zod';
import type { FoundPassage } from '../found-passage.ts';

/** A passage of the knowledge base. */
export const passageSchema = z.object({
  document_id: z.string(),
  document: z.string().describe('The name of the document.'),
  page: z.int().nullable().describe('The page it begins on, where the document has pages.'),
  score: z.number().describe('How likely it has the answer, from 0 to 1; comparable between questions.'),
  text: z.string(),
});

/** The member of an answer that lists passages. */
export const knowledgeFieldSchema = z
  .array(passageSchema)
  .describe('The passages that the model was shown, if `include` has `knowledge`.');

const KNOWLEDGE = 'knowledge';

/** The request field that asks for passages. Anything else in it is ignored, as unknown fields are. */
export const includeFieldSchema = z
  .unknown()
  .optional()
  .describe('`["knowledge"]` adds the passages of the knowledge base that the model was shown.');

/** Whether a request asks for the passages. */
export function includesKnowledge(include: unknown): boolean {
  return Array.isArray(include) && include.includes(KNOWLEDGE);
}

/** The member of an answer that has the passages; empty if they were not asked for. */
export function knowledgeMember(passages: readonly FoundPassage[] | undefined): {
  knowledge?: z.infer<typeof knowledgeFieldSchema>;
} {
  return passages === undefined ? {} : { knowledge: passages.map(passageField) };
}

/** A passage in the format of all answers. */
export function passageField({ documentId, documentName, page, relevance, text }: FoundPassage) {
  return {
    document_id: documentId,
    document: documentName,
    page: page ?? null,
    score: Number(relevance.toFixed(3)),
    text,
  };
}
