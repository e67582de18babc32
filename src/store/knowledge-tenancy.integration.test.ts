import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { FakeEmbeddings } from '../../testing/knowledge/fake-embeddings.ts';
import { fastClock, LineCutter, OnePageReader } from '../../testing/knowledge/indexing-fakes.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { ChunkEmbedder } from '../knowledge/chunk-embedder.ts';
import { Indexer } from '../knowledge/indexing/indexer.ts';
import { HybridSearch } from '../knowledge/search/hybrid-search.ts';
import { createLog } from '../telemetry/log.ts';
import { SqlChunkSource } from './sql-chunk-source.ts';
import { SqlIndexingQueue } from './sql-indexing-queue.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const { signal } = new AbortController();
const TEXT = 'Parcels travel by van.\nLetters travel by bike.';

describeOnDatabases('Equal documents of two stacks', (database) => {
  let store: SqlKnowledge;
  let indexer: Indexer;
  let search: HybridSearch;
  beforeEach(async () => {
    const { pool } = database();
    await storeOwners(pool);
    const blobs = new MemoryBlobStore();
    const embeddings = new FakeEmbeddings();
    store = new SqlKnowledge(pool, blobs);
    indexer = new Indexer({
      queue: new SqlIndexingQueue(pool, blobs),
      store,
      reader: new OnePageReader(),
      cutter: new LineCutter(),
      embedder: new ChunkEmbedder(embeddings),
      log: createLog('silent', { write: () => undefined }),
      observe: () => {},
      clock: fastClock,
    });
    indexer.start();
    search = new HybridSearch({
      source: new SqlChunkSource(pool),
      embeddings,
      onEmbeddingsFailure: (error) => expect.unreachable(String(error)),
      memoryBytes: 1e6,
    });
  });
  afterEach(async () => {
    await indexer.stop();
    await search.stop(AbortSignal.abort());
  });

  it('are found by their own stack only, also after the other removed its own', async () => {
    const [shop, other] = [await save('shop'), await save('other')];
    expect(shop).not.toBe(other);
    for (const question of ['parcels', 'How do letters travel?']) {
      expect(await found('shop', question)).toEqual([shop, shop]);
      expect(await found('other', question)).toEqual([other, other]);
    }
    await store.remove('shop', shop);
    expect(await found('shop', 'parcels')).toEqual([]);
    expect(await found('other', 'parcels')).toEqual([other, other]);
  });

  it('stay apart when one is replaced', async () => {
    await save('shop');
    const other = await save('other');
    await save('shop', 'Nothing travels.');
    const chunks = await search.search('shop', 'parcels travel', { most: 5, signal });
    expect(chunks.map(({ text }) => text)).toEqual(['Nothing travels.']);
    expect(await found('other', 'parcels')).toEqual([other, other]);
  });

  /** Resolves with the document's id when it can be found. */
  async function save(stackId: string, text = TEXT): Promise<string> {
    const document = { stackId, name: 'a.md', bytes: Buffer.from(text), declared: false };
    const { id } = await store.save(document, signal);
    indexer.wake();
    await expect.poll(() => store.find(stackId, id)).toMatchObject({ state: 'ready' });
    return id;
  }

  async function found(stackId: string, question: string): Promise<readonly string[]> {
    const chunks = await search.search(stackId, question, { most: 5, signal });
    return chunks.map(({ documentId }) => documentId);
  }
});
