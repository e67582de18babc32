import { beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { describeFileStore } from '../../testing/files/describe-file-store.ts';
import { makeFile } from '../../testing/files/make-file.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { testOperator } from '../../testing/operator-work.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { Fault } from '../faults/fault.ts';
import { newFileId } from '../files/file-id.ts';
import type { StoredFile } from '../files/file-store.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { ORPHAN_AGE_MS } from './blob-orphans.ts';
import { Eraser, listErasures } from './eraser.ts';
import { fileBlobs } from './file-blobs.ts';
import { FileRecords } from './file-records.ts';
import { fileSweeper } from './file-sweeper.ts';
import { LinkSecret } from './link-secret.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlFiles } from './sql-files.ts';
import { SqlStorageBook } from './sql-storage-book.ts';

const never = new AbortController().signal;
const bytes = Buffer.from('%PDF-1.7');
const muchLater = { nowMs: () => Date.now() + 2 * ORPHAN_AGE_MS };

describeOnDatabases('SqlFiles', (database) => {
  let blobs: BrokenBlobStore;
  let records: FileRecords;
  let files: SqlFiles;
  const make = async () => {
    await storeOwners(database().pool);
    blobs = new BrokenBlobStore();
    records = new FileRecords(database().pool);
    files = new SqlFiles({ records, blobs });
    return files;
  };
  beforeEach(make);

  describeFileStore('SqlFiles', make);

  it('leaves no bytes when there is no room, says 502, and takes them the next time', async () => {
    const { id } = await files.reserve(makeFile());
    blobs.putFailure = new StorageFull('full');
    const fault = await files.store('shop', id, bytes, never).catch((error: unknown) => error);
    expect(fault instanceof Fault && [fault.code, fault.status, fault.cause]).toEqual([
      'file-not-stored',
      502,
      blobs.putFailure,
    ]);
    expect(await remains()).toEqual([1, 0]);
    blobs.putFailure = undefined;
    expect(await files.store('shop', id, bytes, never)).toBeDefined();
  });

  it('says 503 when a stored file cannot be read', async () => {
    const { id } = await files.reserve(makeFile());
    await files.store('shop', id, bytes, never);
    blobs.getFailure = new Error('SlowDown');
    await expect(files.readBytes('shop', id, never)).rejects.toMatchObject({
      code: 'storage-away',
      status: 503,
    });
  });

  it('answers with the file when the connection breaks after the row was finished', async () => {
    const { id } = await files.reserve(makeFile());
    const finish = records.finishStoring.bind(records);
    records.finishStoring = async (...row) => {
      await finish(...row);
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    };
    expect(await files.store('shop', id, bytes, never)).toMatchObject({ id });
    expect(await remains()).toEqual([1, 1]);
  });

  it('leaves no bytes of a file that is removed while they are stored', async () => {
    const { id } = await files.reserve(makeFile());
    const put = blobs.put.bind(blobs);
    blobs.put = async (...blob) => {
      await files.remove('shop', id);
      await put(...blob);
    };
    expect(await files.store('shop', id, bytes, never)).toBeUndefined();
    expect(await remains()).toEqual([0, 0]);
  });

  it('hides an expired file, and a sweep removes it and reservations whose time is over', async () => {
    const { id } = await stored();
    await files.reserve(makeFile());
    await execute(database().pool, sql`update files set expires_at = now()`);
    const { id: kept } = await stored();
    expect(await files.find('shop', id)).toBeUndefined();
    expect(await files.readBytes('shop', id, never)).toBeUndefined();
    expect(await sweep()).toEqual({ expired: 2, orphanedRows: 0, orphanedBytes: 0 });
    expect(await remains()).toEqual([1, 1]);
    expect(await files.find('shop', kept)).toBeDefined();
  });

  it('has bytes without a row and rows without bytes removed, once they are old', async () => {
    const { id } = await stored();
    await blobs.delete(fileBlobs.keyOf(id), never);
    await blobs.put(fileBlobs.keyOf(newFileId(Date.now())), bytes, never);
    await stored();
    await execute(database().pool, sql`update file_sweeps set searched_at = '-infinity'`);
    expect(await sweep(muchLater)).toEqual({ expired: 0, orphanedRows: 1, orphanedBytes: 1 });
    expect(await remains()).toEqual([1, 1]);
  });

  it('erases the files of a key with a record, also those whose bytes are still to come', async () => {
    const { pool } = database();
    const { sha256 } = await stored();
    await files.reserve(makeFile());
    await stored({ keyId: 'app' });
    const eraser = new Eraser({ kind: 'file', pool, blobs, operator: testOperator });
    const erasure = await eraser.erase({ scope: 'key', stackId: 'shop', keyId: 'web' }, never);
    expect(erasure).toMatchObject({ scope: 'key', subject: 'shop/web', count: 2, sizeBytes: 108 });
    expect(await listErasures(pool, 'file')).toEqual([erasure]);
    expect(await listErasures(pool, 'image')).toEqual([]);
    expect(await execute(pool, sql`select from erased_files where sha256 = ${sha256}`)).toBe(1);
    expect(await remains()).toEqual([1, 1]);
  });

  it('counts stored and reserved bytes for the quota of their stack, until they expire', async () => {
    const book = new SqlStorageBook(database().pool);
    await stored();
    await files.reserve(makeFile());
    await stored({ stackId: 'other' });
    expect(await book.storedBytes('shop')).toBe(bytes.byteLength + 100);
    await execute(database().pool, sql`update files set expires_at = now()`);
    expect(await book.storedBytes('shop')).toBe(0);
  });

  it('gives all replicas one secret for links, which lasts', async () => {
    const { pool } = database();
    const secrets = await Promise.all([1, 2, 3].map(() => new LinkSecret(pool).read()));
    const [first] = secrets;
    expect(first?.byteLength).toBe(32);
    for (const secret of secrets) expect(Buffer.from(secret)).toEqual(Buffer.from(first ?? []));
    expect(Buffer.from(await new LinkSecret(pool).read())).toEqual(Buffer.from(first ?? []));
  });

  async function stored(values: Parameters<typeof makeFile>[0] = {}): Promise<StoredFile> {
    const { id, stackId } = await files.reserve(makeFile(values));
    const file = await files.store(stackId, id, bytes, never);
    if (file === undefined) throw new Error('the file was not stored');
    return file;
  }

  function sweep(clock = wallClock) {
    return fileSweeper({ pool: database().pool, blobs, clock }).sweep(never);
  }

  async function remains(): Promise<readonly number[]> {
    return [await execute(database().pool, sql`select from files`), (await listBlobs(blobs)).length];
  }
});
