import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { copyMigratedTemplate } from '../../testing/migrated-template.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { createDatabase } from '../../testing/real-postgres/create-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import { DiskBlobStore } from '../blobs/disk-blob-store.ts';
import { Secret } from '../config/secret.ts';
import { openDatabase } from '../store/database.ts';
import { writeBackup } from './backup.ts';
import { changeStack, createStack, listStacks } from './stacks.ts';

const { signal } = new AbortController();
/** An embedded database is started three times, which takes seconds on a busy machine. */
const SLOW_MS = 120_000;
const fixture = fileURLToPath(new URL('../../testing/fixtures/restore-and-hang.mjs', import.meta.url));
const kept = parseBlobKey('images/kept');

describe.each(['embedded', 'postgres'])('a restore into %s', (kind) => {
  it.skipIf(kind === 'postgres' && !realPostgresAvailable)(
    'that is killed midway leaves rows and blobs as they were',
    { timeout: SLOW_MS },
    async () => {
      const dataDir = makeDataFolder();
      const url = kind === 'postgres' ? await createDatabase() : undefined;
      if (url === undefined) await copyMigratedTemplate(dataDir);
      const open = () =>
        openDatabase({ url: url ? new Secret(url) : undefined, dataDir, announce: () => {}, signal });
      const blobs = await DiskBlobStore.open({ directory: join(dataDir, 'blobs') });
      const file = join(dataDir, 'all.backup');

      const database = await open();
      await createStack(operatorWork(database.pool), 'shop', { plan: 'go' });
      await writeBackup(file, { pool: database.pool, blobs, version: '1', signal });
      await changeStack(operatorWork(database.pool), 'shop', { changes: { plan: 'max' } });
      await blobs.put(kept, Buffer.from('kept'), signal);
      const before = await listStacks(database.pool);
      await database.close();

      const child = spawn(process.execPath, [fixture, file, dataDir, ...(url === undefined ? [] : [url])], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      await Promise.race([once(child.stdout, 'data'), ended]);
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);

      const reopened = await open();
      expect(await listStacks(reopened.pool)).toEqual(before);
      expect(Buffer.from((await blobs.get(kept, signal)) ?? []).toString()).toBe('kept');
      await reopened.close();
    },
  );
});
