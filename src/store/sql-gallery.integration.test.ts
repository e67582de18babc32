import { beforeEach, expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { describeGallery } from '../../testing/images/describe-gallery.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { Fault } from '../faults/fault.ts';
import { ImageRecords } from './image-records.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlGallery } from './sql-gallery.ts';

const never = new AbortController().signal;

describeOnDatabases('SqlGallery', (database) => {
  let blobs: BrokenBlobStore;
  let records: ImageRecords;
  let gallery: SqlGallery;
  const make = async () => {
    await storeOwners(database().pool);
    blobs = new BrokenBlobStore();
    records = new ImageRecords(database().pool);
    gallery = new SqlGallery({ records, blobs, retentionDays: 30 });
    return gallery;
  };
  beforeEach(make);

  describeGallery('SqlGallery', make);

  it('leaves neither row nor bytes when there is no room, and says 502', async () => {
    blobs.putFailure = new StorageFull('full');
    const fault = await faultOf(gallery.keep(makeImage(), never));
    expect([fault.code, fault.status, fault.cause]).toEqual(['image-not-stored', 502, blobs.putFailure]);
    expect(await remains()).toEqual([0, 0]);
  });

  it('leaves neither row nor bytes when the row cannot be written', async () => {
    const fault = await faultOf(gallery.keep(makeImage({ keyId: 'unknown' }), never));
    expect(fault.code).toBe('image-not-stored');
    expect(String(fault.cause)).not.toContain('watercolour');
    expect(await remains()).toEqual([0, 0]);
  });

  it('leaves neither row nor bytes when the connection breaks after the row was written', async () => {
    const insert = records.insert.bind(records);
    records.insert = async (...row) => {
      await insert(...row);
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
    };
    expect((await faultOf(gallery.keep(makeImage(), never))).code).toBe('image-not-stored');
    expect(await remains()).toEqual([0, 0]);
  });

  it('leaves neither row nor bytes when the client leaves between bytes and row, or after both', async () => {
    const between = new AbortController();
    blobs.afterPut = () => between.abort(new Error('left'));
    await expect(gallery.keep(makeImage(), between.signal)).rejects.toThrow('left');
    expect(await remains()).toEqual([0, 0]);
    blobs.afterPut = () => {};
    const after = new AbortController();
    const insert = records.insert.bind(records);
    records.insert = async (...row) => {
      const stored = await insert(...row);
      after.abort(new Error('left'));
      return stored;
    };
    await expect(gallery.keep(makeImage(), after.signal)).rejects.toThrow('left');
    expect(await remains()).toEqual([0, 0]);
  });

  it('says 503 when a stored image cannot be read, and gives it when it can', async () => {
    const { id } = await gallery.keep(makeImage(), never);
    blobs.getFailure = new Error('SlowDown');
    const fault = await faultOf(gallery.readPng('shop', id, never));
    expect([fault.code, fault.status, fault.cause]).toEqual(['storage-away', 503, blobs.getFailure]);
    blobs.getFailure = undefined;
    expect(await gallery.readPng('shop', id, never)).toBeDefined();
  });

  it('hides an expired image', async () => {
    const { id } = await gallery.keep(makeImage(), never);
    await execute(database().pool, sql`update images set expires_at = now()`);
    expect(await gallery.find('shop', id, never)).toBeUndefined();
    expect(await gallery.readPng('shop', id, never)).toBeUndefined();
    expect((await gallery.list({ stackId: 'shop', limit: 9 }, never)).images).toEqual([]);
    expect(await gallery.remove('shop', id, never)).toBe(false);
  });

  it('removes an image even when its bytes cannot be reached, and leaves its row to the sweeper', async () => {
    const { id } = await gallery.keep(makeImage(), never);
    blobs.deleteFailure = new Error('away');
    expect(await gallery.remove('shop', id, never)).toBe(true);
    expect(await gallery.find('shop', id, never)).toBeUndefined();
    expect(await records.rows.expired(10)).toEqual([id]);
  });

  async function remains(): Promise<readonly number[]> {
    return [await execute(database().pool, sql`select from images`), (await listBlobs(blobs)).length];
  }
});

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const thrown = await work.catch((error: unknown) => error);
  if (!(thrown instanceof Fault)) throw new Error(`a fault was expected, not ${String(thrown)}`);
  return thrown;
}
