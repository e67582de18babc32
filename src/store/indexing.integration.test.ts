import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import {
  fastClock,
  LineCutter,
  OnePageReader,
  TextEmbedder,
} from '../../testing/knowledge/indexing-fakes.ts';
import { storedCounts } from '../../testing/knowledge/stored-counts.ts';
import { LogLines } from '../../testing/log-lines.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { Fault } from '../faults/fault.ts';
import { Indexer, type IndexingOutcome } from '../knowledge/indexing/indexer.ts';
import type { KnowledgeDocument } from '../knowledge/knowledge-document.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';
import { SqlChunkSource } from './sql-chunk-source.ts';
import { SqlIndexingQueue } from './sql-indexing-queue.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const modelRow = z.object({ model: z.string().nullable() });

const never = new AbortController().signal;
const BATCH = 32;
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describeOnDatabases('Indexer', (database) => {
  let blobs: MemoryBlobStore;
  let store: SqlKnowledge;
  let source: SqlChunkSource;
  let cutter: LineCutter;
  let reader: OnePageReader;
  let embedder: TextEmbedder;
  let outcomes: IndexingOutcome[];
  let logged: LogLines;
  let running: Indexer[];
  beforeEach(async () => {
    await storeOwners(database().pool);
    blobs = new MemoryBlobStore();
    store = new SqlKnowledge(database().pool, blobs);
    source = new SqlChunkSource(database().pool);
    [cutter, reader, embedder] = [new LineCutter(), new OnePageReader(), new TextEmbedder()];
    [outcomes, running, logged] = [[], [], new LogLines()];
  });
  afterEach(() => Promise.all(running.map((indexer) => indexer.stop())));

  it('makes documents searchable, with vectors, and removes leftovers', async () => {
    await save('a.md', 'one\ntwo');
    await save('b.md', '%PDF-1.7');
    start();
    await settled('a.md', { state: 'ready', chunks: 2, progress: 1 });
    await settled('b.md', { state: 'ready', chunks: 1 });
    expect(await found()).toEqual(['one=one', 'two=two', 'the page=the page']);
    await save('a.md', 'three');
    await settled('a.md', { state: 'ready', chunks: 1 });
    await expect.poll(counts).toEqual({ documents: 2, chunks: 2, blobs: 2, leftovers: 0 });
    expect(outcomes).toEqual(['ready', 'ready', 'ready']);
    expect(logged.text).not.toContain('a.md');
  });

  it('says why a document failed, and does not try it again', async () => {
    cutter.failure = new Fault('document-unreadable', 'The document "a.md" is damaged.');
    await save('a.md', 'x');
    start();
    await settled('a.md', { state: 'failed', failure: 'The document "a.md" is damaged.', searchable: false });
    expect([cutter.cuts, outcomes]).toEqual([['a.md'], ['failed']]);
  });

  it('waits for OCR that is not ready yet, and says so', async () => {
    reader.failure = new Fault('model-not-ready', 'OCR is being fetched.');
    await save('scan.pdf', '%PDF-1.7');
    start();
    await settled('scan.pdf', { state: 'queued', failure: 'OCR is being fetched.' });
    reader.failure = undefined;
    await hurry();
    await settled('scan.pdf', { state: 'ready', failure: undefined });
  });

  it('gives up a document that never ends', async () => {
    await save('a.md', 'x');
    await execute(database().pool, sql`update knowledge_documents set attempts = 20`);
    cutter.failure = new Error('crash');
    start();
    await settled('a.md', {
      state: 'failed',
      failure: 'The document could not be indexed; the log of the gateway tells why.',
    });
    expect(cutter.cuts).toEqual([]);
  });

  it('continues without embeddings after some attempts, and adds vectors when they are back', async () => {
    embedder.failure = new Error('away');
    await save('a.md', 'one\ntwo');
    start();
    await expect
      .poll(async () => {
        await hurry();
        return store.findByName('shop', 'a.md');
      })
      .toMatchObject({ state: 'ready', chunks: 2 });
    expect(outcomes.filter((outcome) => outcome === 'without-vectors')).toHaveLength(1);
    expect(await found()).toEqual(['one=', 'two=']);
    const before = await source.generation('shop', never);
    embedder.failure = undefined;
    await expect
      .poll(async () => {
        await hurry();
        return found();
      })
      .toEqual(['one=one', 'two=two']);
    expect(await source.generation('shop', never)).not.toBe(before);
    expect(cutter.cuts).toEqual(['a.md']);
  });

  it('embeds again for another model, without reading again', async () => {
    await save('a.md', 'one');
    const first = start();
    await settled('a.md', { state: 'ready' });
    await first.stop();
    embedder.model = 'other';
    start();
    await expect.poll(() => models()).toEqual(['other']);
    expect([cutter.cuts, embedder.embedded]).toEqual([['a.md'], ['one', 'one']]);
  });

  it('does a document once, however many indexers there are', async () => {
    for (const name of lines(6)) await save(name, name);
    for (const _ of [1, 2, 3]) start();
    await expect.poll(() => store.countByState()).toMatchObject({ ready: 6 });
    expect(cutter.cuts.toSorted()).toEqual(lines(6));
    expect(embedder.embedded.toSorted()).toEqual(lines(6));
  });

  it('continues where a stopped one was, and keeps its vectors', async () => {
    await save('a.md', lines(3 * BATCH).join('\n'));
    embedder.before = async (signal) => {
      if (embedder.embedded.length === BATCH) await aborted(signal);
    };
    const first = start();
    await expect
      .poll(() => store.findByName('shop', 'a.md'))
      .toMatchObject({
        state: 'indexing',
        progress: 1 / 3,
        searchable: false,
      });
    await first.stop();
    expect(await store.findByName('shop', 'a.md')).toMatchObject({ state: 'queued' });
    embedder.before = async () => {};
    start();
    await settled('a.md', { state: 'ready', chunks: 3 * BATCH });
    expect(embedder.embedded).toEqual(lines(3 * BATCH));
    expect(cutter.cuts).toEqual(['a.md']);
  });

  it('drops a version that is replaced, and a document that is removed, during indexing', async () => {
    await save('a.md', 'old');
    const gone = await save('b.md', 'gone');
    embedder.before = async () => {
      embedder.before = async () => {};
      await save('a.md', 'new');
      await store.remove('shop', gone.id);
    };
    start();
    await settled('a.md', { state: 'ready', sizeBytes: 3 });
    await expect.poll(found).toEqual(['new=new']);
    await expect.poll(counts).toEqual({ documents: 1, chunks: 1, blobs: 1, leftovers: 0 });
    expect(outcomes).toContain('lost');
  });

  function start(): Indexer {
    const indexer = new Indexer({
      queue: new SqlIndexingQueue(database().pool, blobs),
      store,
      cutter,
      reader,
      embedder,
      clock: fastClock,
      log: logged.log,
      observe: (outcome) => outcomes.push(outcome),
    });
    running.push(indexer);
    indexer.start();
    return indexer;
  }

  async function found(): Promise<readonly string[]> {
    const { versions } = await source.contents('shop', never);
    const all: string[] = [];
    for (const version of versions) {
      const chunks = await source.chunks(version, { from: 0, most: 999 }, never);
      all.push(...(chunks ?? []).map(({ text, vectors }) => `${text}=${Buffer.from(vectors)}`));
    }
    return all;
  }

  async function models(): Promise<readonly unknown[]> {
    const query = sql`select embedding_model as model from knowledge_documents`;
    const rows = await queryRows(database().pool, modelRow, query);
    return rows.map(({ model }) => model);
  }

  const counts = () => storedCounts(database().pool, blobs);
  const hurry = () => execute(database().pool, sql`update knowledge_documents set retry_at = now()`);
  const save = (name: string, text: string): Promise<KnowledgeDocument> =>
    store.save({ stackId: 'shop', name, bytes: Buffer.from(text), declared: false }, never);
  const settled = (name: string, state: Partial<KnowledgeDocument>) =>
    expect.poll(() => store.findByName('shop', name)).toMatchObject(state);
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}
