import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineProcess } from '../../testing/images/line-process.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { storedCounts } from '../../testing/knowledge/stored-counts.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/open-test-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { DiskBlobStore } from '../blobs/disk-blob-store.ts';
import { migrate } from './migrate.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const never = new AbortController().signal;
const SECTIONS = 400;
const BATCHES_BEFORE_KILL = [2, 3];

describe.skipIf(!realPostgresAvailable)('indexing in processes that are killed', () => {
  let database: TestDatabase;
  let directory: string;
  let url: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'stackgate-indexing-'));
    database = await openTestDatabase('postgres');
    url = database.url?.reveal() ?? '';
    await migrate(database.pool);
    await storeOwners(database.pool);
  });
  afterEach(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('continues after every kill -9, embeds little twice, and leaves no leftovers', async () => {
    const blobs = await DiskBlobStore.open({ directory });
    const store = new SqlKnowledge(database.pool, blobs);
    const text = Array.from({ length: SECTIONS }, (_, index) => `# Section ${index}\n\n${words(index)}`);
    const document = {
      stackId: 'shop',
      name: 'a.md',
      bytes: Buffer.from(text.join('\n\n')),
      declared: false,
    };
    const { id } = await store.save(document, never);
    const embedded: string[] = [];
    for (const batches of BATCHES_BEFORE_KILL) {
      await using killed = new LineProcess('index-until-killed.mjs', [url, directory]);
      await killed.printed(batches);
      await killed.kill();
      embedded.push(...killed.lines);
      expect(await store.find('shop', id)).toMatchObject({ state: 'indexing', searchable: false });
      // Its lease runs out.
      await execute(database.pool, sql`update knowledge_documents set lease_until = now()`);
    }
    await using last = new LineProcess('index-until-killed.mjs', [url, directory]);
    await expect.poll(() => store.find('shop', id)).toMatchObject({ state: 'ready', progress: 1 });
    await last.kill();
    embedded.push(...last.lines);
    const positions = embedded.flatMap((line) => line.split(' '));
    const { chunks } = await storedCounts(database.pool, blobs);
    expect(new Set(positions).size).toBe(chunks);
    // A kill costs one batch at most: the one not stored yet.
    expect(embedded.length - new Set(embedded).size).toBeLessThanOrEqual(BATCHES_BEFORE_KILL.length);
    expect(last.errors).toEqual([]);
    expect(await storedCounts(database.pool, blobs)).toMatchObject({ documents: 1, blobs: 1, leftovers: 0 });
  });
});

function words(index: number): string {
  return Array.from({ length: 200 }, (_, word) => `word${index}x${word}`).join(' ');
}
