import type pg from 'pg';
import { ChunkEmbedder } from '../../src/knowledge/chunk-embedder.ts';
import type { EmbeddingsEngine } from '../../src/knowledge/embeddings-engine.ts';
import { indexDocument } from '../../src/knowledge/indexing/index-document.ts';
import type { SearchWriter } from '../../src/knowledge/search-writer.ts';
import { changeRecords } from '../../src/store/records.ts';
import { SqlIndexingQueue } from '../../src/store/sql-indexing-queue.ts';
import { SqlKnowledge } from '../../src/store/sql-knowledge.ts';
import { MemoryBlobStore } from '../memory-blob-store.ts';
import { storedStack } from '../stored-rows.ts';
import { LineCutter, OnePageReader } from './indexing-fakes.ts';

const never = new AbortController().signal;

/** Documents of stacks in a database, indexed as the gateway does it; each line is a passage. */
export class StoredKnowledge {
  readonly #pool: pg.Pool;
  readonly #embeddings: EmbeddingsEngine;
  readonly #blobs = new MemoryBlobStore();
  readonly store: SqlKnowledge;
  writer: SearchWriter | undefined;

  constructor(pool: pg.Pool, embeddings: EmbeddingsEngine) {
    this.#pool = pool;
    this.#embeddings = embeddings;
    this.store = new SqlKnowledge(pool, this.#blobs);
  }

  async addStack(id: string): Promise<void> {
    await changeRecords(this.#pool, ({ stacks }) => stacks.save({ ...storedStack, id }));
  }

  /** Adds a document, or its next version, and indexes it. */
  async put(stackId: string, name: string, lines: readonly string[]): Promise<void> {
    await this.store.save({ stackId, name, bytes: Buffer.from(lines.join('\n')), declared: false }, never);
    await this.index();
  }

  async remove(stackId: string, name: string): Promise<void> {
    const document = await this.store.findByName(stackId, name);
    await this.store.remove(stackId, document?.id ?? '');
  }

  /** Indexes what is queued. */
  async index(): Promise<void> {
    const queue = new SqlIndexingQueue(this.#pool, this.#blobs);
    const embedder = new ChunkEmbedder(this.#embeddings);
    const parts = { queue, embedder, cutter: new LineCutter(), reader: new OnePageReader() };
    for (;;) {
      const task = await queue.take({ model: embedder.model, embedsAnew: true });
      if (task === undefined) return;
      await indexDocument(task, { ...parts, ...(this.writer && { writer: this.writer }) }, never);
    }
  }
}
