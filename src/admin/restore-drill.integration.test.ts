import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { openMigratedDatabase } from '../../testing/open-test-database.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { laterRows, releasedRows } from '../../testing/upgrade/released-database.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { makeAgeKeys, parseIdentity, parseRecipient } from '../lib/age/age-keys.ts';
import { dumpRows } from '../store/row-dump.ts';
import { tablesInOrder } from '../store/table-order.ts';
import { verifyAudit } from './audit.ts';
import { writeBackup } from './backup.ts';
import { checkBackup, restoreBackup } from './restore.ts';

const { signal } = new AbortController();

// On both kinds of database, so in both directions.
describeOnDatabases('the restore drill', (database) => {
  it.skipIf(!realPostgresAvailable)(
    'carries every row of every table and every blob, encrypted, to the other kind of database',
    async () => {
      const { pool, kind } = database();
      const other = await openMigratedDatabase(kind === 'postgres' ? 'embedded' : 'postgres');
      try {
        await pool.query(releasedRows);
        await pool.query(laterRows);
        const before = await rowsByTable(pool);
        expect([...before.keys()].sort()).toEqual([...(await tablesInOrder(pool))].sort());
        const [here, there] = [new MemoryBlobStore(), new MemoryBlobStore()];
        await here.put(parseBlobKey('images/one'), Buffer.from([0, 10, 13, 255]), signal);
        await here.put(parseBlobKey('idempotency/00/kept'), Buffer.from('an answer'), signal);
        const file = join(makeDataFolder(), 'all.backup');
        const { readers, secrets } = newReaders();
        const counts = await writeBackup(file, { pool, blobs: here, version: '1', signal, readers });
        expect(readFileSync(file).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
        expect(await checkBackup(file, secrets)).toMatchObject(counts);
        const target = { ...operatorWork(other.pool), blobs: there, replace: false, signal, secrets };
        await restoreBackup(file, target);
        const after = await rowsByTable(other.pool);
        // The restoring itself is the last row of the audit.
        expect(after.get('audit')?.splice(2)).toHaveLength(1);
        expect(after).toEqual(before);
        expect(await verifyAudit(other.pool)).not.toHaveProperty('problem');
        // Kept answers are no part of a backup.
        await here.delete(parseBlobKey('idempotency/00/kept'), signal);
        expect(await blobsIn(there)).toEqual(await blobsIn(here));
      } finally {
        await other.close();
      }
    },
  );
});

function newReaders() {
  const keys = makeAgeKeys();
  const [identity, recipient] = [parseIdentity(keys.identity), parseRecipient(keys.recipient)];
  if (identity === undefined || recipient === undefined) throw new Error('keys are readable');
  return { readers: { recipients: [recipient] }, secrets: { identities: [identity] } };
}

/** The rows of all tables that a backup carries and that have some. */
async function rowsByTable(pool: pg.Pool): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for await (const { table, rows } of dumpRows(pool))
    tables.set(table, [...(tables.get(table) ?? []), ...rows].sort());
  return tables;
}

async function blobsIn(blobs: BlobStore): Promise<readonly string[]> {
  const found = (await listBlobs(blobs)).map(
    async ({ key }) => `${key} ${Buffer.from((await blobs.get(key, signal)) ?? []).toString('hex')}`,
  );
  return await Promise.all(found);
}
