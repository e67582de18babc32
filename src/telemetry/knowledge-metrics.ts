import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the knowledge base. */
export class KnowledgeMetrics {
  readonly #registry: Registry;
  readonly #outcomes;
  readonly #embeddingsFailures;
  readonly #retrievalFailures;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#outcomes = new Counter({
      name: 'stackgate_knowledge_indexed_total',
      help: 'Turns of documents at the indexer, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.#embeddingsFailures = new Counter({
      name: 'stackgate_knowledge_embeddings_failures_total',
      help: 'Questions that were searched by their words alone, because embeddings failed or took too long.',
      registers: [registry],
    });
    this.#retrievalFailures = new Counter({
      name: 'stackgate_knowledge_retrieval_failures_total',
      help: 'Questions that were answered without an excerpt, because the search failed.',
      registers: [registry],
    });
  }

  retrievalFailed(): void {
    this.#retrievalFailures.inc();
  }

  documentIndexed(outcome: string): void {
    this.#outcomes.inc({ outcome });
  }

  embeddingsFailed(): void {
    this.#embeddingsFailures.inc();
  }

  /** Reads the number of documents by state at each scrape; omitted if that fails. */
  showDocuments(read: () => Promise<Readonly<Record<string, number>>>): void {
    const gauge = new Gauge({
      name: 'stackgate_knowledge_documents',
      help: 'Documents of all stacks by the state of their newest version.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: async () => {
        const counts = await read().catch(() => ({}));
        gauge.reset();
        for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
      },
    });
  }
}
