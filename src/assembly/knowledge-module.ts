import type pg from 'pg';
import type { Caller } from '../access/caller.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import { applyDeclaredKnowledge, type DeclaredFile } from '../admin/declared-knowledge.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Config, DeclaredStack } from '../config/config.ts';
import { ChunkEmbedder } from '../knowledge/chunk-embedder.ts';
import type { EmbeddingsEngine } from '../knowledge/embeddings-engine.ts';
import { FileSearchTool } from '../knowledge/excerpt/file-search-tool.ts';
import { KnowledgeRetriever } from '../knowledge/excerpt/knowledge-retriever.ts';
import { declaredFolders } from '../knowledge/folders/declared-folder.ts';
import { FolderWatches } from '../knowledge/folders/folder-watches.ts';
import { Indexer } from '../knowledge/indexing/indexer.ts';
import type { KnowledgeSearch } from '../knowledge/knowledge-search.ts';
import { MIN_RELEVANCE } from '../knowledge/min-relevance.ts';
import { DocumentCutter } from '../knowledge/reading/document-cutter.ts';
import { KnowledgeService } from '../knowledge/service/knowledge-service.ts';
import { systemClock } from '../lib/clock.ts';
import type { DocumentReader } from '../reading/document-reader.ts';
import { SqlFolderBook } from '../store/sql-folder-book.ts';
import { SqlIndexingQueue } from '../store/sql-indexing-queue.ts';
import { SqlKnowledge } from '../store/sql-knowledge.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { GatewayModule } from './gateway-module.ts';
import { SearchParts } from './search-parts.ts';

const NOT_TAKEN = 'a file of the knowledge of a stack was not taken';

export interface KnowledgePartOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly reader: DocumentReader;
  readonly embeddings: EmbeddingsEngine;
  readonly storage: Pick<StorageRoom, 'take'>;
  /** The caller that a stack's documents are stored for. */
  readonly stackCaller: (stackId: string) => Promise<Caller | undefined>;
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
  readonly #folders: FolderWatches;
  readonly #stopping = new AbortController();
  #declaring: Promise<void> = Promise.resolve();

  constructor(options: KnowledgePartOptions) {
    const { config, log, metrics, pool, blobs, reader, embeddings, storage, stackCaller } = options;
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
    this.#folders = new FolderWatches({
      book: new SqlFolderBook(pool),
      store: this.#store,
      service: this.service,
      takeRoom: async (stackId, bytes) => {
        const caller = await stackCaller(stackId);
        if (caller === undefined) throw new Error(`there is no stack "${stackId}"`);
        return await storage.take(caller, bytes);
      },
      refused: ({ stackId, source }, path, reason) =>
        log.error({ stack: stackId, path: `${source.source}/${path}`, reason }, NOT_TAKEN),
      clock: systemClock,
      log,
    });
    this.retriever = new KnowledgeRetriever({
      search: this.search,
      minRelevance: MIN_RELEVANCE,
      log,
      onFailure: () => metrics.knowledge.retrievalFailed(),
    });
    this.fileSearch = new FileSearchTool(this.search, MIN_RELEVANCE);
    metrics.knowledge.showDocuments(() => this.#store.countByState());
  }

  /** Applies the declared files and watches the declared folders in the background, one configuration after the other. */
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
    await this.#folders.stop();
    await this.#indexer.stop();
    await Promise.all([this.#cutter.stop(signal), this.#searchParts.stop(signal)]);
  }

  async #applyDeclared(stacks: readonly DeclaredStack[]): Promise<void> {
    const { signal } = this.#stopping;
    const refused = ({ stackId, path }: DeclaredFile, reason: string) =>
      this.#log.error({ stack: stackId, path, reason }, NOT_TAKEN);
    try {
      const { service } = this;
      await this.#folders.stop();
      const folders = await declaredFolders(stacks);
      await applyDeclaredKnowledge(stacks, folders, { store: this.#store, service, refused, signal });
      this.#indexer.wake();
      signal.throwIfAborted();
      await this.#folders.watch(folders);
    } catch (error) {
      if (signal.aborted) return;
      this.#log.error({ error }, 'the declared knowledge could not be brought in');
    }
  }
}
