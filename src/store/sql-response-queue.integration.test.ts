import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { describeResponseQueue } from '../../testing/text/describe-response-queue.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlResponseQueue } from './sql-response-queue.ts';
import { SqlResponses } from './sql-responses.ts';

describeOnDatabases('SqlResponseQueue', (database) => {
  describeResponseQueue('SqlResponseQueue', async () => {
    const { pool } = database();
    await storeOwners(pool);
    const options = { pool, blobs: new MemoryBlobStore(), retentionDays: 30 };
    return {
      store: new SqlResponses(options),
      queue: new SqlResponseQueue(options),
      endLeases: async () => {
        await execute(pool, sql`update response_jobs set lease_until = now()`);
      },
    };
  });
});
