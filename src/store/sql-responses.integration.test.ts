import { beforeEach, expect, it, vi } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { describeResponseStore, newResponse } from '../../testing/text/describe-response-store.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { execute } from './query.ts';
import { ResponseSweeper } from './response-sweeper.ts';
import { sql } from './sql.ts';
import { SqlConversations } from './sql-conversations.ts';
import { SqlResponses } from './sql-responses.ts';

const { signal } = new AbortController();
const LARGE = 'x'.repeat(70_000);
const BOUNDS = { responses: 10, bytes: 1_000_000 };

describeOnDatabases('SqlResponses', (database) => {
  let blobs: BrokenBlobStore;
  let store: SqlResponses;
  let conversations: SqlConversations;
  const make = async () => {
    await storeOwners(database().pool);
    blobs = new BrokenBlobStore();
    const options = { pool: database().pool, blobs, retentionDays: 30 };
    store = new SqlResponses(options);
    conversations = new SqlConversations(options);
    return { store, conversations };
  };
  beforeEach(make);

  describeResponseStore('SqlResponses', make);

  it('stores a small response by one statement, and a chain is read by one', async () => {
    const { pool } = database();
    await store.save(newResponse('a'));
    const connect = vi.spyOn(pool, 'connect');
    await store.save(newResponse('b', { previousId: 'resp_a' }));
    expect(connect).toHaveBeenCalledTimes(1);
    await store.readChain('shop', 'resp_b', BOUNDS);
    expect(connect).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });

  it('keeps large parts as blobs, and removes them with the response', async () => {
    await store.save(newResponse('small'));
    expect(await listBlobs(blobs)).toEqual([]);
    await store.save(newResponse('large', { text: LARGE }));
    expect(await listBlobs(blobs)).toHaveLength(1);
    expect(await store.remove('shop', 'resp_large')).toBe(true);
    expect(await listBlobs(blobs)).toEqual([]);
  });

  it('says 503 when a large part cannot be read, also of a chain', async () => {
    await store.save(newResponse('large', { text: LARGE }));
    blobs.getFailure = new Error('SlowDown');
    const away = { code: 'storage-away', status: 503 };
    await expect(store.find('shop', 'resp_large')).rejects.toMatchObject(away);
    await expect(store.readChain('shop', 'resp_large', BOUNDS)).rejects.toMatchObject(away);
  });

  it('leaves nothing of a response that it cannot store', async () => {
    blobs.putFailure = new StorageFull('full');
    const failing = store.save(newResponse('large', { text: LARGE }));
    await expect(failing).rejects.toThrow(StorageFull);
    blobs.putFailure = undefined;
    await store.save(newResponse('a', { text: LARGE }));
    const twice = store.save(newResponse('a', { text: LARGE }));
    await expect(twice).rejects.toThrow('duplicate key');
    expect(await listBlobs(blobs)).toHaveLength(2);
    await execute(database().pool, sql`update response_leftovers set remove_at = now()`);
    await sweep();
    expect(await listBlobs(blobs)).toHaveLength(1);
    expect(await store.find('shop', 'resp_a')).toBeDefined();
  });

  it('keeps an expired response only for those that follow it', async () => {
    await store.save(newResponse('a', { text: LARGE }));
    await store.save(newResponse('b', { previousId: 'resp_a' }));
    await store.save(newResponse('alone', { text: LARGE }));
    await expire('resp_a', 'resp_alone');
    expect(await store.find('shop', 'resp_a')).toBeUndefined();
    expect(await store.readChain('shop', 'resp_a', BOUNDS)).toEqual({ kind: 'missing', id: 'resp_a' });
    expect(await sweep()).toEqual({ responses: 1, conversations: 0, blobs: 1 });
    expect(await store.readChain('shop', 'resp_b', BOUNDS)).toMatchObject({ kind: 'whole' });
    await expire('resp_b');
    expect(await sweep()).toEqual({ responses: 2, conversations: 0, blobs: 1 });
    expect(await listBlobs(blobs)).toEqual([]);
  });

  it('forgets a conversation some time after its last item', async () => {
    const { owner } = newResponse('a');
    const { id } = await conversations.create(owner, { metadata: {}, items: [] });
    await execute(database().pool, sql`update conversations set expires_at = now() + interval '1 day'`);
    await store.save(newResponse('a', { conversationId: id, text: LARGE }));
    await execute(
      database().pool,
      sql`update conversations set expires_at = expires_at - interval '29 days'`,
    );
    expect(await conversations.find('shop', id)).toBeDefined();
    await execute(database().pool, sql`update conversations set expires_at = now()`);
    expect(await conversations.find('shop', id)).toBeUndefined();
    expect(await sweep()).toEqual({ responses: 0, conversations: 1, blobs: 1 });
    expect(await store.find('shop', 'resp_a')).toBeDefined();
  });

  async function expire(...ids: readonly string[]): Promise<void> {
    await execute(database().pool, sql`update responses set expires_at = now() where id = any (${ids})`);
  }

  function sweep() {
    return new ResponseSweeper({ pool: database().pool, blobs, pageRows: 1 }).sweep(signal);
  }
});
