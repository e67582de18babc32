import { isRefusedPayment } from '../../access/refused-payment.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Excerpt, Retrieval, Retriever } from '../../text/retriever.ts';
import type { KnowledgeSearch } from '../knowledge-search.ts';
import { chooseChunks } from './choose-chunks.ts';
import { writeExcerpt } from './write-excerpt.ts';

/** More passages are rarely read, and each costs tokens in every later turn. */
const MOST_CHUNKS = 8;
const DEADLINE_MS = 5_000;

export interface KnowledgeRetrieverParts {
  readonly search: KnowledgeSearch;
  /** Minimum relevance of a passage. */
  readonly minRelevance: number;
  readonly log: Log;
  /** Called for each question whose search failed. */
  readonly onFailure: () => void;
}

/** Quotes the knowledge base on a question, within the excerpt's part of the context window. */
export class KnowledgeRetriever implements Retriever {
  readonly #parts: KnowledgeRetrieverParts;

  constructor(parts: KnowledgeRetrieverParts) {
    this.#parts = parts;
  }

  /** If the search fails, the answer goes on without an excerpt; not if its request may not pay for it. */
  async excerpt(asked: Retrieval, signal: AbortSignal): Promise<Excerpt | undefined> {
    try {
      return await this.#excerpt(asked, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]));
    } catch (error) {
      signal.throwIfAborted();
      if (isRefusedPayment(error)) throw error;
      this.#parts.onFailure();
      this.#parts.log.error({ stack: asked.stackId, error }, 'the knowledge base could not be asked');
      return undefined;
    }
  }

  async #excerpt(
    { stackId, question, fits, span }: Retrieval,
    signal: AbortSignal,
  ): Promise<Excerpt | undefined> {
    const { search, minRelevance } = this.#parts;
    const found = await search.search(stackId, question, { most: MOST_CHUNKS, signal, span });
    const relevant = found.filter((chunk) => chunk.relevance >= minRelevance);
    const chosen = await chooseChunks(relevant, (chunks) => fits(writeExcerpt(chunks).text));
    return chosen.length === 0 ? undefined : writeExcerpt(chosen);
  }
}
