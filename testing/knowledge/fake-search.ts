import { KnowledgeRetriever } from '../../src/knowledge/excerpt/knowledge-retriever.ts';
import type { FoundChunk, KnowledgeSearch } from '../../src/knowledge/knowledge-search.ts';
import { createLog } from '../../src/telemetry/log.ts';
import type { Retriever } from '../../src/text/retriever.ts';

/** Finds the same for every question, and records its questions. */
export class FakeSearch implements KnowledgeSearch {
  readonly asked: { readonly stackId: string; readonly question: string }[] = [];
  found: readonly FoundChunk[];

  constructor(found: readonly FoundChunk[] = []) {
    this.found = found;
  }

  async search(stackId: string, question: string): Promise<readonly FoundChunk[]> {
    this.asked.push({ stackId, question });
    return this.found;
  }
}

/** The real retriever on a search, with a threshold of one half. */
export function retrieverOn(search: KnowledgeSearch, onFailure: () => void = () => {}): Retriever {
  const log = createLog('silent', { write: () => undefined });
  return new KnowledgeRetriever({ search, minRelevance: 0.5, log, onFailure });
}
