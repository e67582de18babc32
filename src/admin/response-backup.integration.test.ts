import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { newResponse } from '../../testing/text/describe-response-store.ts';
import { SqlConversations } from '../store/sql-conversations.ts';
import { SqlResponses } from '../store/sql-responses.ts';
import { writeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const { signal } = new AbortController();

describeOnDatabase('a backup', (database) => {
  it('has responses and conversations, with their blobs, and a restored one can be built on', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const blobs = new MemoryBlobStore();
    const options = { pool, blobs, retentionDays: 30 };
    const store = new SqlResponses(options);
    const conversations = new SqlConversations(options);
    const large = newResponse('a', { text: 'ü'.repeat(70_000) });
    const { id } = await conversations.create(large.owner, { metadata: { a: 'b' }, items: [] });
    await store.save({ ...large, conversationId: id });
    await store.save(newResponse('b', { previousId: 'resp_a' }));
    const bounds = { responses: 10, bytes: 1_000_000 };
    const read = async () => ({
      chain: await store.readChain('shop', 'resp_b', bounds),
      items: [...(await store.findItems('shop', ['msg_a_0']))],
      history: await conversations.readHistory('shop', id, 1_000_000),
      blobs: (await listBlobs(blobs)).map(({ key }) => key),
    });
    const before = await read();
    expect(before).toMatchObject({ chain: { kind: 'whole' }, blobs: { length: 2 } });
    const file = join(makeDataFolder(), 'all.backup');
    await writeBackup(file, { pool, blobs, version: '1.0.0', signal });
    await store.remove('shop', 'resp_a');
    await conversations.remove('shop', id);
    await restoreBackup(file, { ...operatorWork(pool), blobs, replace: true, signal });
    expect(await read()).toEqual(before);
  });
});
