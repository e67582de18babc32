import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepExpired } from '../../testing/images/keep-expired.ts';
import { LineProcess } from '../../testing/images/line-process.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/open-test-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { DiskBlobStore } from '../blobs/disk-blob-store.ts';
import { migrate } from './migrate.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';

const CLIENTS = 3;
const PROCESSES = 3;
const KILLS = 2;
const RENDERED_BETWEEN = 8;

describe.skipIf(!realPostgresAvailable)('real processes on PostgreSQL', () => {
  let database: TestDatabase;
  let folder: string;
  let url: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stackgate-killed-'));
    database = await openTestDatabase('postgres');
    url = database.url?.reveal() ?? '';
    await migrate(database.pool);
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('never render two images of a stack at once, and continue after every kill -9', async () => {
    const started: LineProcess[] = [];
    const start = () => {
      const next = new LineProcess('contend-for-images.mjs', [url, join(folder, 'gpu'), `${CLIENTS}`]);
      started.push(next);
      return next;
    };
    try {
      const living = Array.from({ length: PROCESSES }, start);
      for (let kill = 0; kill < KILLS; kill++) {
        await renderMore(living);
        await living.shift()?.kill();
        living.push(start());
      }
      await renderMore(living);
    } finally {
      await Promise.all(started.map((each) => each.kill()));
    }
    // A process may lose its slot when the machine stalls for seconds; two at once must never happen.
    const said = new Set(started.flatMap(({ lines }) => lines));
    expect([...said].filter((line) => line !== 'lost')).toEqual(['rendered']);
  });

  it('continue the sweep of a killed one, and leave neither row nor bytes', async () => {
    await storeOwners(database.pool);
    const directory = join(folder, 'blobs');
    const blobs = await DiskBlobStore.open({ directory });
    await keepExpired(database.pool, blobs, 130);
    for (const removals of [3, 104]) {
      await using killed = new LineProcess('sweep-until-killed.mjs', [url, directory]);
      await killed.printed(removals);
      await killed.kill();
      expect(await remains(blobs)).not.toEqual([0, 0]);
      // Its lease runs out.
      await execute(database.pool, sql`update image_sweeps set lease_until = now()`);
    }
    await using last = new LineProcess('sweep-until-killed.mjs', [url, directory]);
    await last.end();
    expect([last.errors, await remains(blobs)]).toEqual([[], [0, 0]]);
  });

  /** In each process, so that none is idle. */
  async function renderMore(processes: readonly LineProcess[]): Promise<void> {
    await Promise.all(processes.map((each) => each.printed(each.lines.length + RENDERED_BETWEEN)));
  }

  async function remains(blobs: DiskBlobStore): Promise<readonly number[]> {
    return [await execute(database.pool, sql`select from images`), (await listBlobs(blobs)).length];
  }
});
