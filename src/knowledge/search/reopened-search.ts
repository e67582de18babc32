import type { FoundChunk, KnowledgeSearch, SearchAsk } from '../knowledge-search.ts';

/** A search with something to stop. */
export type StoppableSearch = KnowledgeSearch & { stop(signal: AbortSignal): Promise<void> };

/** A search that is opened by its first question, and again by the first one after a stop. */
export class ReopenedSearch implements StoppableSearch {
  readonly #open: () => StoppableSearch;
  #opened: StoppableSearch | undefined;

  constructor(open: () => StoppableSearch) {
    this.#open = open;
  }

  search(stackId: string, question: string, ask: SearchAsk): Promise<readonly FoundChunk[]> {
    this.#opened ??= this.#open();
    return this.#opened.search(stackId, question, ask);
  }

  async stop(signal: AbortSignal): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.stop(signal);
  }
}
