import type { FoundChunk } from '../../src/knowledge/knowledge-search.ts';

/** A found chunk, with overrides. */
export function foundChunk(said: Partial<FoundChunk> = {}): FoundChunk {
  return {
    documentId: 'doc-1',
    documentName: 'handbook.md',
    position: 0,
    text: 'Shoes can be sent back within 30 days.',
    headings: [],
    score: 1,
    words: 1,
    meaning: undefined,
    relevance: 1,
    ...said,
  };
}
