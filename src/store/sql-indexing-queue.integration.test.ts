import { beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { storedCounts } from '../../testing/knowledge/stored-counts.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import type { Chunk } from '../knowledge/chunk.ts';
import { type IndexingTask, TaskLost } from '../knowledge/indexing-queue.ts';
import type { KnowledgeDocument } from '../knowledge/knowledge-document.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlChunkSource } from './sql-chunk-source.ts';
import { SqlIndexingQueue } from './sql-indexing-queue.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const never = new AbortController().signal;
const chunks: readonly Chunk[] = [
  { position: 0, text: 'Öffnungszeiten: 9 bis 17 Uhr', headings: ['Laden', 'Zeiten'], page: 1 },
  { position: 1, text: 'nul \0 and half \ud800', headings: ['\0'], page: undefined },
  { position: 2, text: 'prices', headings: [], page: 2 },
];

describeOnDatabases('SqlIndexingQueue', (database) => {
  let blobs: MemoryBlobStore;
  let store: SqlKnowledge;
  let queue: SqlIndexingQueue;
  let source: SqlChunkSource;
  beforeEach(async () => {
    const { pool } = database();
    await storeOwners(pool);
    blobs = new MemoryBlobStore();
    store = new SqlKnowledge(pool, blobs);
    queue = new SqlIndexingQueue(pool, blobs);
    source = new SqlChunkSource(pool);
  });

  it('gives a document to one process at a time, the longest waiting first', async () => {
    const [first, second] = [await save('a.md'), await save('b.md')];
    const other = new SqlIndexingQueue(database().pool, blobs);
    const taken = await Promise.all([queue, other, queue, other].map((each) => take(each)));
    expect(taken.flatMap((task) => task?.documentId ?? []).sort()).toEqual([first.id, second.id].sort());
    expect(await state('a.md')).toMatchObject({ state: 'indexing', progress: 0 });
  });

  it('takes turns among stacks', async () => {
    for (const name of ['1', '2', '3']) await save(name);
    await save('4', 'other');
    const order: string[] = [];
    for (let afterStack: string | undefined; order.length < 4; ) {
      const task = await queue.take({ model: 'm', embedsAnew: false, afterStack });
      afterStack = task?.stackId;
      order.push(task?.name ?? 'nothing');
    }
    expect(order).toEqual(['4', '1', '2', '3']);
    for (const name of ['5', '6']) await save(name, 'other');
    await save('7');
    const next = await queue.take({ model: 'm', embedsAnew: false, afterStack: 'other' });
    const then = await queue.take({ model: 'm', embedsAnew: false, afterStack: next?.stackId });
    expect([next?.name, then?.name]).toEqual(['7', '5']);
  });

  it('gives it to another process when the lease ends, and refuses the writes of the first', async () => {
    await save('a.md');
    const killed = await taken();
    await queue.storeChunks(killed, chunks.slice(0, 1), never);
    expect(await take()).toBeUndefined();
    await expireLeases();
    const next = await taken();
    expect([next.documentId, next.version, next.cutChunks]).toEqual([killed.documentId, 1, 1]);
    for (const write of [
      () => queue.renew(killed),
      () => queue.storeChunks(killed, chunks, never),
      () => queue.storeVectors(killed, 'm', vectors('x')),
      () => queue.finish(killed, 'm'),
      () => queue.fail(killed, 'x'),
      () => queue.postpone(killed, { delayMs: 1, reason: 'x' }),
      () => queue.giveBack(killed),
      () => queue.readBytes(killed, never),
    ])
      await expect(write()).rejects.toThrow(TaskLost);
    await queue.storeChunks(next, chunks, never);
    await queue.finish(next, undefined);
    expect(await state('a.md')).toMatchObject({ state: 'ready', chunks: 3, progress: 1 });
  });

  it('keeps a lease that is renewed', async () => {
    await save('a.md');
    const task = await taken();
    await execute(
      database().pool,
      sql`update knowledge_documents set lease_until = now() + interval '1 second'`,
    );
    await queue.renew(task);
    const long = sql`select from knowledge_documents where lease_until > now() + interval '20 seconds'`;
    expect(await execute(database().pool, long)).toBe(1);
  });

  it('finds the old version until the new one is ready, then only the new one', async () => {
    const saved = await indexed('a.md', chunks.slice(0, 2));
    const before = await source.generation('shop', never);
    await store.save({ ...document('a.md'), bytes: Buffer.from('new') }, never);
    expect(await texts()).toEqual([storable(0), storable(1)]);
    expect(await state('a.md')).toMatchObject({ state: 'queued', searchable: true, chunks: 2 });
    const task = await taken();
    expect([task.version, task.documentId]).toEqual([2, saved.id]);
    await queue.storeChunks(task, chunks.slice(2), never);
    expect(await texts()).toEqual([storable(0), storable(1)]);
    expect(await source.generation('shop', never)).toBe(before);
    const [old] = (await source.contents('shop', never)).versions;
    await queue.finish(task, undefined);
    // Positions are the document's own, so the rest begins where it did.
    expect(await texts()).toEqual(['prices']);
    expect(await source.generation('shop', never)).not.toBe(before);
    if (old === undefined) throw new Error('there was no old version');
    expect(await source.chunks(old, { from: 0, most: 9 }, never)).toBeUndefined();
    await store.tidy(never);
    expect(await storedCounts(database().pool, blobs)).toEqual({
      documents: 1,
      chunks: 1,
      blobs: 1,
      leftovers: 0,
    });
  });

  it('keeps the old version of one whose new version failed, and says why', async () => {
    await indexed('a.md', chunks);
    await store.save({ ...document('a.md'), bytes: Buffer.from('new') }, never);
    await queue.fail(await taken(), 'The document "a.md" is damaged \0.');
    expect(await state('a.md')).toMatchObject({
      state: 'failed',
      failure: 'The document "a.md" is damaged .',
      searchable: true,
      chunks: 3,
    });
    expect(await texts()).toHaveLength(3);
    expect(await take()).toBeUndefined();
    await store.save({ ...document('a.md'), bytes: Buffer.from('new') }, never);
    expect((await taken()).version).toBe(3);
  });

  it('drops an attempt when its document is replaced or removed', async () => {
    const { id } = await save('a.md');
    const replaced = await taken();
    await queue.storeChunks(replaced, chunks, never);
    await store.save({ ...document('a.md'), bytes: Buffer.from('new') }, never);
    await expect(queue.finish(replaced, 'm')).rejects.toThrow(TaskLost);
    const removed = await taken();
    await queue.storeChunks(removed, chunks, never);
    await store.remove('shop', id);
    await expect(queue.storeVectors(removed, 'm', vectors('x'))).rejects.toThrow(TaskLost);
    await store.tidy(never);
    expect(await storedCounts(database().pool, blobs)).toEqual({
      documents: 0,
      chunks: 0,
      blobs: 0,
      leftovers: 0,
    });
  });

  it('continues with the missing vectors', async () => {
    await save('a.md');
    const first = await taken();
    await queue.storeChunks(first, chunks, never);
    await queue.storeVectors(first, 'm', vectors('one').slice(0, 2));
    expect((await state('a.md'))?.progress).toBeCloseTo(2 / 3);
    await expireLeases();
    const next = await taken();
    const missing = await queue.withoutVectors(next, 'm', { after: -1, limit: 9 });
    expect(missing).toEqual([{ ...chunks[2], text: 'prices' }]);
    expect(await queue.withoutVectors(next, 'other', { after: -1, limit: 9 })).toHaveLength(3);
    await queue.storeVectors(next, 'm', vectors('two').slice(2));
    await queue.finish(next, 'm');
    expect(await stored()).toEqual([
      { text: storable(0), headings: ['Laden', 'Zeiten'], page: 1, vectors: 'one', position: 0 },
      { text: storable(1), headings: [''], page: undefined, vectors: 'one', position: 1 },
      { text: 'prices', headings: [], page: 2, vectors: 'two', position: 2 },
    ]);
    expect(await take()).toBeUndefined();
  });

  it('asks for new vectors for another model, and shows none until then', async () => {
    await indexed('a.md', chunks, 'm');
    const before = await source.generation('shop', never);
    expect(await queue.take({ model: 'other', embedsAnew: false })).toBeUndefined();
    const task = await queue.take({ model: 'other', embedsAnew: true });
    if (task === undefined) throw new Error('nothing was to be embedded');
    expect([task.kind, task.version]).toEqual(['embed', 1]);
    expect(await state('a.md')).toMatchObject({ state: 'ready', searchable: true });
    await queue.storeVectors(task, 'other', vectors('two').slice(0, 2));
    expect((await stored()).map((chunk) => chunk.vectors)).toEqual(['', '', '']);
    await queue.storeVectors(task, 'other', vectors('two').slice(2));
    await queue.finish(task, 'other');
    expect((await stored()).map((chunk) => chunk.vectors)).toEqual(['two', 'two', 'two']);
    expect(await source.generation('shop', never)).not.toBe(before);
    expect(await queue.take({ model: 'other', embedsAnew: true })).toBeUndefined();
  });

  it('shows a stack only its own texts, also when they are equal', async () => {
    const [shop, other] = [await indexed('a.md', chunks), await indexed('a.md', chunks, 'm', 'other')];
    const found = await Promise.all(
      ['shop', 'other', 'none'].map((stackId) => source.contents(stackId, never)),
    );
    expect(found.map(({ versions }) => versions.map(({ documentId }) => documentId))).toEqual([
      [shop.id],
      [other.id],
      [],
    ]);
    expect(await source.generation('none', never)).toBeUndefined();
    const before = await source.generation('other', never);
    await store.remove('shop', shop.id);
    expect(await texts()).toEqual([]);
    expect(await texts('other')).toHaveLength(3);
    expect(await source.generation('other', never)).toBe(before);
  });

  it('reads chunks page by page', async () => {
    const many = Array.from({ length: 250 }, (_, position) => ({
      position,
      text: `t${position}`,
      headings: [],
    }));
    await indexed('a.md', many);
    const [version] = (await source.contents('shop', never)).versions;
    if (version === undefined) throw new Error('nothing is found');
    const page = await source.chunks(version, { from: 100, most: 2 }, never);
    expect(page?.map(({ position }) => position)).toEqual([100, 101]);
    expect(await source.chunks(version, { from: 250, most: 2 }, never)).toEqual([]);
  });

  it('waits for a later time, shows the reason, and does not count an attempt that was put back', async () => {
    await save('a.md');
    const first = await taken();
    await queue.postpone(first, { delayMs: 60_000, reason: 'OCR is fetched.' });
    expect(await take()).toBeUndefined();
    expect(await state('a.md')).toMatchObject({ state: 'queued', failure: 'OCR is fetched.' });
    await execute(database().pool, sql`update knowledge_documents set retry_at = now()`);
    const second = await taken();
    expect([first.attempts, second.attempts]).toEqual([1, 2]);
    await queue.giveBack(second);
    expect((await taken()).attempts).toBe(2);
  });

  async function indexed(name: string, its: readonly Chunk[], model?: string, stackId = 'shop') {
    const saved = await save(name, stackId);
    const task = await taken();
    await queue.storeChunks(task, its, never);
    if (model !== undefined) await queue.storeVectors(task, model, vectors('one').slice(0, its.length));
    await queue.finish(task, model);
    return saved;
  }

  async function stored(stackId = 'shop') {
    const { versions } = await source.contents(stackId, never);
    const pages = await Promise.all(
      versions.map((version) => source.chunks(version, { from: 0, most: 999 }, never)),
    );
    return pages.flatMap((page) =>
      (page ?? []).map((chunk) => ({ ...chunk, vectors: Buffer.from(chunk.vectors).toString() })),
    );
  }

  async function texts(stackId = 'shop'): Promise<readonly string[]> {
    return (await stored(stackId)).map(({ text }) => text);
  }

  async function taken(): Promise<IndexingTask> {
    const task = await take();
    if (task === undefined) throw new Error('nothing was queued');
    return task;
  }

  const take = (from: SqlIndexingQueue = queue) => from.take({ model: 'm', embedsAnew: false });
  const save = (name: string, stackId = 'shop'): Promise<KnowledgeDocument> =>
    store.save({ ...document(name), stackId }, never);
  const state = (name: string) => store.findByName('shop', name);
  const expireLeases = () =>
    execute(database().pool, sql`update knowledge_documents set lease_until = now()`);
});

const document = (name: string) => ({ stackId: 'shop', name, bytes: Buffer.from('text'), declared: false });
const vectors = (text: string) => chunks.map(({ position }) => ({ position, vectors: Buffer.from(text) }));
const storable = (index: number) => ['Öffnungszeiten: 9 bis 17 Uhr', 'nul  and half \ufffd'][index] ?? '';
