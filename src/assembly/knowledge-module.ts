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
import { MIN_RELEVANCE } from '../knowledge/min-relevance.ts';
import { DocumentCutter } from '../knowledge/reading/document-cutter.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { indexFolder, indexMaker } from '../knowledge/search/index-files.ts';
import { IndexSweeper } from '../knowledge/search/index-sweeper.ts';
import { KnowledgeService } from '../knowledge/service/knowledge-service.ts';
import { systemClock } from '../lib/clock.ts';
import { wallClock } from '../lib/wall-clock.ts';
import type { DocumentReader } from '../reading/document-reader.ts';
import { SqlChunkSource } from '../store/sql-chunk-source.ts';
import { SqlFolderBook } from '../store/sql-folder-book.ts';
import { SqlIndexingQueue } from '../store/sql-indexing-queue.ts';
import { SqlKnowledge } from '../store/sql-knowledge.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { GatewayModule } from './gateway-module.ts';

/** How long an index file may have a removed document that nobody asks about. */
const INDEX_SWEEP_MS = 5 * 60_000;
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
  readonly search: HybridSearch;
  readonly #indexer: Indexer;
  readonly #indexSweeps: SweepSchedule;
  readonly #folders: FolderWatches;
  readonly #stopping = new AbortController();
  #declaring: Promise<void> = Promise.resolve();

  constructor(options: KnowledgePartOptions) {
    const { config, log, metrics, pool, blobs, reader, embeddings, storage, stackCaller } = options;
    this.#log = log;
    this.#store = new SqlKnowledge(pool, blobs);
    this.#indexer = new Indexer({
      queue: new SqlIndexingQueue(pool, blobs),
      store: this.#store,
      reader,
      cutter: this.#cutter,
      embedder: new ChunkEmbedder(embeddings),
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
    const source = new SqlChunkSource(pool);
    const folder = indexFolder(config.dataDir);
    this.search = new HybridSearch({
      source,
      embeddings,
      onEmbeddingsFailure: () => metrics.knowledge.embeddingsFailed(),
      memoryBytes: config.engines.search.memoryBytes,
      files: { folder, isReadOnly: false },
      observe: (event) => {
        if (event.type === 'child-line') log.warn({ line: event.line }, 'knowledge search');
      },
    });
    this.#indexSweeps = new SweepSchedule({
      what: 'index files',
      sweeper: new IndexSweeper({ folder, maker: indexMaker(embeddings.model), source, clock: wallClock }),
      clock: systemClock,
      log,
      firstMs: 0,
      everyMs: INDEX_SWEEP_MS,
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
    this.#indexSweeps.start();
    this.#indexer.start();
  }

  async stop(signal: AbortSignal): Promise<void> {
    this.#stopping.abort(new Error('the gateway is stopping'));
    await this.#declaring;
    await this.#folders.stop();
    await this.#indexSweeps.stop();
    await this.#indexer.stop();
    await Promise.all([this.#cutter.stop(signal), this.search.stop(signal)]);
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
