import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { S3Server } from '../../testing/s3/s3-server.ts';
import type { KnowledgeSource } from '../config/config.ts';
import { Secret } from '../config/secret.ts';
import { BucketFolder } from '../knowledge/folders/bucket-folder.ts';
import { DiskFolder } from '../knowledge/folders/disk-folder.ts';
import { type FolderLease, FolderTakenOver } from '../knowledge/folders/folder-book.ts';
import { FolderPass } from '../knowledge/folders/folder-pass.ts';
import type { KnowledgeFolder } from '../knowledge/folders/knowledge-folder.ts';
import { KnowledgeService } from '../knowledge/service/knowledge-service.ts';
import { systemClock } from '../lib/clock.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlFolderBook } from './sql-folder-book.ts';
import { SqlKnowledge } from './sql-knowledge.ts';

const { signal } = new AbortController();
const LATER_MS = 3_600_000;
const docs = { stackId: 'shop', source: 'docs' };

describeOnDatabases('folders of knowledge', (database) => {
  let folder: string;
  let store: SqlKnowledge;
  let book: SqlFolderBook;
  beforeEach(async () => {
    await storeOwners(database().pool);
    folder = mkdtempSync(join(tmpdir(), 'stackgate-folder-'));
    store = new SqlKnowledge(database().pool, new MemoryBlobStore());
    book = new SqlFolderBook(database().pool);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('follow a folder on the disk, over restarts', async () => {
    mkdirSync(join(folder, 'de'));
    write('de/a.md', '# A');
    write('b.md', '# B');
    write('c.png', 'GIF89a\0\0\0\0');
    await store.save({ stackId: 'shop', name: 'sent.md', bytes: Buffer.from('x'), declared: false }, signal);
    expect(await look(onDisk())).toBe('done');
    const first = await documents();
    expect(first.map(({ name, state, source }) => [name, state, source])).toEqual([
      ['docs/b.md', 'queued', 'docs'],
      ['docs/c.png', 'failed', 'docs'],
      ['docs/de/a.md', 'queued', 'docs'],
      ['sent.md', 'queued', undefined],
    ]);
    await look(onDisk());
    expect(await documents()).toEqual(first);
    write('b.md', '# B, changed');
    rmSync(join(folder, 'de'), { recursive: true });
    rmSync(join(folder, 'c.png'));
    await look(onDisk());
    expect((await documents()).map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([
      ['docs/b.md', 12],
      ['sent.md', 1],
    ]);
    expect(await book.states('shop')).toMatchObject([
      { ...docs, files: 1, waiting: 0, documents: 1, ready: 0, failed: 0, problem: null },
    ]);
    expect(await book.states('other')).toEqual([]);
  });

  it('follow a bucket, and fetch only what changed', async () => {
    await using server = await S3Server.start();
    const put = (name: string, text: string) =>
      server.objects.set(`docs/${name}`, {
        bytes: Buffer.from(text),
        metadata: {},
        modifiedAt: new Date(),
      });
    const { accessKeyId, secretAccessKey, region } = server.credentials;
    const access = { endpoint: server.endpoint, region, accessKeyId };
    const url = `s3://${server.bucket}/docs`;
    const bucket = { url, ...access, secretAccessKey: new Secret(secretAccessKey) };
    const source: KnowledgeSource = { kind: 'bucket', source: url, bucket };
    const lookAt = async () => {
      const read: string[] = [];
      const opened = await BucketFolder.open(bucket);
      await look(
        {
          list: (ended) => opened.list(ended),
          read: (file, ended) => {
            read.push(file.path);
            return opened.read(file, ended);
          },
        },
        source,
      );
      return read;
    };
    put('a.md', '# A');
    put('b.md', '# B');
    expect(await lookAt()).toEqual(['a.md', 'b.md']);
    put('b.md', '# B, changed');
    server.objects.delete('docs/a.md');
    expect(await lookAt()).toEqual(['b.md']);
    expect((await documents()).map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual([['docs/b.md', 12]]);
    server.misbehaviours.push({ method: 'GET', what: { status: 403, code: 'AccessDenied' } });
    await lookAt();
    expect(await documents()).toHaveLength(1);
    expect((await book.states())[0]?.problem).toMatch(/^it cannot be read: .*access is denied/);
  });

  it('are looked through by one process at a time, and no more often than needed', async () => {
    const lease = await taken(0);
    expect(await book.take(docs, { unlessWithinMs: 0 })).toBeUndefined();
    await book.renew(lease);
    await book.finish(lease, { files: 3, waiting: 1, problem: 'x: y' });
    expect(await book.take(docs, { unlessWithinMs: 60_000 })).toBeUndefined();
    const next = await taken(0);
    await expect(book.renew(lease)).rejects.toThrow(FolderTakenOver);
    await book.release(next);
    await taken(0);
    // Does at once what a minute does to the lease of a killed process.
    await execute(database().pool, sql`update knowledge_folders set lease_until = now()`);
    await taken(0);
  });

  it('are forgotten when they are not declared any more', async () => {
    await book.release(await taken(0));
    await book.keepOnly([docs]);
    expect(await book.states()).toHaveLength(1);
    await book.keepOnly([{ ...docs, source: 'other' }]);
    expect(await book.states()).toEqual([]);
    await book.release(await taken(0));
    await book.keepOnly([]);
    expect(await book.states()).toEqual([]);
  });

  async function taken(unlessWithinMs: number): Promise<FolderLease> {
    const lease = await book.take(docs, { unlessWithinMs });
    if (lease === undefined) throw new Error('it is taken');
    return lease;
  }

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const documents = async () => (await store.list({ stackId: 'shop', limit: 99 })).documents;
  const onDisk = () => new DiskFolder(folder, { nowMs: () => Date.now() + LATER_MS });

  /** Looks as a process that was just started. */
  function look(
    opened: KnowledgeFolder,
    source: KnowledgeSource = { kind: 'path', source: 'docs', path: folder, isFolder: true },
  ) {
    const parts = {
      book,
      store,
      service: new KnowledgeService({ store }),
      takeRoom: async () => ({ [Symbol.dispose]: () => {} }),
      clock: systemClock,
      refused: () => {},
    };
    const pass = new FolderPass(parts, { stackId: 'shop', source, rootName: 'docs' }, opened);
    return pass.run({ unlessWithinMs: 0, signal });
  }
});
