import type { FoundPassage } from '../text/found-passage.ts';

/** The header with the documents of the knowledge base that the model was shown; `undefined` if there are none. */
export function knowledgeSources(
  passages: readonly FoundPassage[],
): Readonly<Record<string, string>> | undefined {
  if (passages.length === 0) return undefined;
  const documents = new Set(passages.map(({ documentId }) => documentId));
  return { 'x-knowledge-sources': [...documents].join(', ') };
}
