import type pg from 'pg';
import { applyDeclaredKnowledge, type DeclaredFile } from '../admin/declared-knowledge.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config, DeclaredStack } from '../config/config.ts';
import { ChunkEmbedder } from '../knowledge/chunk-embedder.ts';
import type { EmbeddingsEngine } from '../knowledge/embeddings-engine.ts';
import { FileSearchTool } from '../knowledge/excerpt/file-search-tool.ts';
import { KnowledgeRetriever } from '../knowledge/excerpt/knowledge-retriever.ts';
import { Indexer } from '../knowledge/indexing/indexer.ts';
import type { KnowledgeSearch } from '../knowledge/knowledge-search.ts';
import { MIN_RELEVANCE } from '../knowledge/min-relevance.ts';
import { DocumentCutter } from '../knowledge/reading/document-cutter.ts';
import { KnowledgeService } from '../knowledge/service/knowledge-service.ts';
import type { DocumentReader } from '../reading/document-reader.ts';
import { SqlIndexingQueue } from '../store/sql-indexing-queue.ts';
import { SqlKnowledge } from '../store/sql-knowledge.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { GatewayModule } from './gateway-module.ts';
import { SearchParts } from './search-parts.ts';

export interface KnowledgePartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly reader: DocumentReader;
  readonly embeddings: EmbeddingsEngine;
}

/** The knowledge base: documents, indexing and search. */
export class KnowledgeModule implements GatewayModule {
  readonly service: KnowledgeService;
  /** Its search thread starts with the first question. */
  readonly retriever: KnowledgeRetriever;
  readonly fileSearch: FileSearchTool;
  readonly #log: Log;
  readonly #store: SqlKnowledge;
  readonly #cutter = new DocumentCutter();
  readonly search: KnowledgeSearch;
  readonly #searchParts: SearchParts;
  readonly #indexer: Indexer;
  readonly #stopping = new AbortController();
  #declaring: Promise<void> = Promise.resolve();

  constructor({ config, log, metrics, pool, blobs, reader, embeddings }: KnowledgePartOptions) {
    this.#log = log;
    this.#store = new SqlKnowledge(pool, blobs);
    this.#searchParts = new SearchParts({
      config,
      log,
      pool,
      embeddings,
      onEmbeddingsFailure: () => metrics.knowledge.embeddingsFailed(),
    });
    this.search = this.#searchParts.search;
    const { writer } = this.#searchParts;
    this.#indexer = new Indexer({
      queue: new SqlIndexingQueue(pool, blobs),
      store: this.#store,
      reader,
      cutter: this.#cutter,
      embedder: new ChunkEmbedder(embeddings),
      ...(writer && { writer }),
      log,
      observe: (outcome) => metrics.knowledge.documentIndexed(outcome),
    });
    this.service = new KnowledgeService({ store: this.#store, wake: () => this.#indexer.wake() });
    this.retriever = new KnowledgeRetriever({
      search: this.search,
      minRelevance: MIN_RELEVANCE,
      log,
      onFailure: () => metrics.knowledge.retrievalFailed(),
    });
    this.fileSearch = new FileSearchTool(this.search, MIN_RELEVANCE);
    metrics.knowledge.showDocuments(() => this.#store.countByState());
  }

  /** Applies the declared files in the background, one configuration after the other. */
  declare(stacks: readonly DeclaredStack[]): void {
    this.#declaring = this.#declaring.then(() => this.#applyDeclared(stacks));
  }

  start(): void {
    this.#searchParts.start();
    this.#indexer.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    await this.#declaring;
    await this.#indexer.stop();
    await Promise.all([this.#cutter.stop(signal), this.#searchParts.stop(signal)]);
  }

  async #applyDeclared(stacks: readonly DeclaredStack[]): Promise<void> {
    const { signal } = this.#stopping;
    const refused = ({ stackId, path }: DeclaredFile, reason: string) =>
      this.#log.error({ stack: stackId, path, reason }, 'a file of the knowledge of a stack was not taken');
    try {
      const { service } = this;
      await applyDeclaredKnowledge(stacks, { store: this.#store, service, refused, signal });
      this.#indexer.wake();
    } catch (error) {
      if (signal.aborted) return;
      this.#log.error({ error }, 'the declared knowledge could not be brought in');
    }
  }
}
