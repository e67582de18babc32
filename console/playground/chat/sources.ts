import type { Source } from '../../api/types.ts';
import { fields, items, numberIn, textIn } from './fields.ts';

const KNOWLEDGE = 'knowledge';

/** The members of a request that ask for the sources; every wire has the same. */
export function askForSources(sources: boolean) {
  return sources ? { include: [KNOWLEDGE] } : {};
}

export function asksForSources(request: unknown): boolean {
  const { include } = fields(request);
  return Array.isArray(include) && include.includes(KNOWLEDGE);
}

/** The sources that an answer, or the end of its stream, lists; null: it has no list. */
export function sourcesIn(answer: unknown): readonly Source[] | null {
  const { knowledge } = fields(answer);
  if (!Array.isArray(knowledge)) return null;
  return items(knowledge).map((passage) => ({
    document_id: textIn(passage.document_id),
    document: textIn(passage.document),
    page: numberIn(passage.page),
    score: numberIn(passage.score) ?? 0,
    text: textIn(passage.text),
  }));
}
