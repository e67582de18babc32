import { beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { describeKnowledgeStore } from '../../testing/knowledge/describe-knowledge-store.ts';
import { storedCounts } from '../../testing/knowledge/stored-counts.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { Fault } from '../faults/fault.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlIndexingQueue } from './sql-indexing-queue.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const never = new AbortController().signal;
const nothing = { documents: 0, chunks: 0, blobs: 0, leftovers: 0 };

describeOnDatabases('SqlKnowledge', (database) => {
  let blobs: BrokenBlobStore;
  let store: SqlKnowledge;
  const make = async () => {
    await storeOwners(database().pool);
    blobs = new BrokenBlobStore();
    store = new SqlKnowledge(database().pool, blobs);
    return store;
  };
  beforeEach(make);

  describeKnowledgeStore('SqlKnowledge', make);

  it('leaves nothing when there is no room, and says 502', async () => {
    blobs.putFailure = new StorageFull('full');
    const thrown = await save('a').catch((error: unknown) => error);
    expect(thrown instanceof Fault && [thrown.code, thrown.status]).toEqual(['document-not-stored', 502]);
    await store.tidy(never);
    expect(await counts()).toEqual(nothing);
  });

  it('leaves nothing when the client leaves, or the row cannot be written, after the bytes', async () => {
    const left = new AbortController();
    blobs.afterPut = () => left.abort(new Error('left'));
    await expect(store.save(document('a'), left.signal)).rejects.toThrow('left');
    blobs.afterPut = () => {};
    await expect(store.save({ ...document('a'), stackId: 'unknown' }, never)).rejects.toThrow();
    await store.tidy(never);
    expect(await counts()).toEqual(nothing);
  });

  it('removes bytes whose process was killed before it wrote the row, but not at once', async () => {
    blobs.afterPut = () => new Promise(() => {});
    void save('a');
    await expect.poll(async () => (await counts()).blobs).toBe(1);
    await store.tidy(never);
    expect(await counts()).toMatchObject({ blobs: 1, leftovers: 1 });
    await execute(
      database().pool,
      sql`update knowledge_leftovers set remove_at = remove_at - interval '1 hour'`,
    );
    await store.tidy(never);
    expect(await counts()).toEqual(nothing);
  });

  it('has the bytes of the newest version only, also when several are saved at once', async () => {
    await Promise.all(['a', 'b', 'c', 'a'].map(save));
    await store.tidy(never);
    expect(await counts()).toMatchObject({ documents: 1, blobs: 1, leftovers: 0 });
    const [task] = await takeAll();
    if (task === undefined) throw new Error('nothing was queued');
    const bytes = Buffer.from(await queue().readBytes(task, never)).toString();
    const newest = await store.findByName('shop', 'a.md');
    expect(bytes.length).toBe(newest?.sizeBytes);
  });

  it('leaves no chunk, vector or byte of a removed document, nor of its older versions', async () => {
    const { id } = await indexed('first');
    await save('second');
    expect(await store.remove('shop', id)).toBe(true);
    await store.tidy(never);
    expect(await counts()).toEqual(nothing);
  });

  it.each(['shop', 'other'])(
    'leaves nothing of a removed stack, and all of the others: %s',
    async (stackId) => {
      await indexed('the same text', 'shop');
      await indexed('the same text', 'other');
      await execute(database().pool, sql`delete from keys where stack_id = ${stackId}`);
      await execute(database().pool, sql`delete from stacks where id = ${stackId}`);
      await store.tidy(never);
      expect(await counts()).toEqual({ documents: 1, chunks: 3, blobs: 1, leftovers: 0 });
      await execute(database().pool, sql`delete from keys; delete from stacks; delete from accounts`);
      await store.tidy(never);
      expect(await counts()).toEqual(nothing);
    },
  );

  it('continues to remove when the blob store is back', async () => {
    const { id } = await indexed('text');
    await store.remove('shop', id);
    blobs.deleteFailure = new Error('away');
    await expect(store.tidy(never)).rejects.toThrow('away');
    blobs.deleteFailure = undefined;
    await store.tidy(never);
    expect(await counts()).toEqual(nothing);
  });

  it('counts by state', async () => {
    await indexed('text');
    await store.save({ ...document('x'), name: 'b.md' }, never);
    expect(await store.countByState()).toEqual({ queued: 1, indexing: 0, ready: 1, failed: 0 });
  });

  async function indexed(text: string, stackId = 'shop') {
    const saved = await store.save({ ...document(text), stackId }, never);
    const task = await queue().take({ model: 'm', embedsAnew: false });
    if (task === undefined) throw new Error('nothing was queued');
    const chunks = [0, 1, 2].map((position) => ({ position, text, headings: [] }));
    await queue().storeChunks(task, chunks, never);
    await queue().storeVectors(
      task,
      'm',
      chunks.map(({ position }) => ({ position, vectors: Buffer.from('vectors') })),
    );
    await queue().finish(task, 'm');
    return saved;
  }

  async function takeAll() {
    const tasks = [];
    for (;;) {
      const task = await queue().take({ model: 'm', embedsAnew: true });
      if (task === undefined) return tasks;
      tasks.push(task);
    }
  }

  const queue = () => new SqlIndexingQueue(database().pool, blobs);
  const counts = () => storedCounts(database().pool, blobs);
  const document = (text: string) => ({
    stackId: 'shop',
    name: 'a.md',
    bytes: Buffer.from(text),
    declared: false,
  });
  const save = (text: string) => store.save(document(text), never);
});
