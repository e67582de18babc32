import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { keepExpired } from '../../testing/images/keep-expired.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { testOperator } from '../../testing/operator-work.ts';
import type { StoredImage } from '../images/gallery.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { Eraser, listErasures } from './eraser.ts';
import type { ErasureTarget } from './erasure-target.ts';
import { ImageRecords } from './image-records.ts';
import { ImageSweeper } from './image-sweeper.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';
import { SqlGallery } from './sql-gallery.ts';

const sha256Row = z.object({ sha256: z.string() });

const never = new AbortController().signal;

describeOnDatabases('Eraser', (database) => {
  let blobs: BrokenBlobStore;
  let records: ImageRecords;
  let eraser: Eraser;
  let images: readonly StoredImage[];
  beforeEach(async () => {
    const { pool } = database();
    await storeOwners(pool);
    blobs = new BrokenBlobStore();
    records = new ImageRecords(pool);
    eraser = new Eraser({ kind: 'image', pool, blobs, operator: testOperator });
    const gallery = new SqlGallery({ records, blobs, retentionDays: 30 });
    images = await Promise.all(
      [makeImage(), makeImage(), makeImage({ keyId: 'app' }), makeImage({ stackId: 'other' })].map((image) =>
        gallery.keep(image, never),
      ),
    );
  });

  it.each<readonly [string, () => ErasureTarget, string, number]>([
    ['image', () => ({ scope: 'one', id: images[0]?.id ?? '' }), 'img_', 1],
    ['key', () => ({ scope: 'key', stackId: 'shop', keyId: 'web' }), 'shop/web', 2],
    ['stack', () => ({ scope: 'stack', stackId: 'shop' }), 'shop', 3],
    ['account', () => ({ scope: 'account', accountId: 'acme' }), 'acme', 4],
    ['account without images', () => ({ scope: 'account', accountId: 'empty' }), 'empty', 0],
  ])('erases the images of one %s, and keeps a record of it', async (_, target, subject, count) => {
    const erasure = await eraser.erase(target(), never);
    expect(erasure).toMatchObject({ scope: scope(target()), count, sizeBytes: count * 9 });
    expect(erasure.subject.startsWith(subject)).toBe(true);
    expect(erasure.finishedAt).toBeInstanceOf(Date);
    expect(await left()).toEqual([4 - count, 4 - count]);
    expect(await listErasures(database().pool, 'image')).toEqual([erasure]);
    const rows = await queryRows(database().pool, sha256Row, sql`select sha256 from erased_images`);
    expect(rows.map((row) => row.sha256)).toEqual(Array.from({ length: count }, () => images[0]?.sha256));
  });

  it('leaves images it could not remove to the sweeper, hidden and recorded', async () => {
    blobs.deleteFailure = new Error('away');
    await expect(eraser.erase({ scope: 'stack', stackId: 'shop' }, never)).rejects.toThrow('away');
    expect(await listErasures(database().pool, 'image')).toMatchObject([{ count: 3, finishedAt: null }]);
    const gallery = new SqlGallery({ records, blobs, retentionDays: 30 });
    expect((await gallery.list({ stackId: 'shop', limit: 9 }, never)).images).toEqual([]);
    blobs.deleteFailure = undefined;
    const sweeper = new ImageSweeper({ pool: database().pool, blobs, clock: wallClock });
    expect(await sweeper.sweep(never)).toMatchObject({ expired: 3 });
    expect(await left()).toEqual([1, 1]);
  });

  it('can be asked again after it was interrupted, and erases more than one page', async () => {
    await keepExpired(database().pool, blobs, 120);
    const remove = blobs.delete.bind(blobs);
    let calls = 0;
    const stop = new AbortController();
    blobs.delete = async (key, signal) => {
      if (++calls === 30) stop.abort(new Error('stopped'));
      return await remove(key, signal);
    };
    await expect(eraser.erase({ scope: 'stack', stackId: 'shop' }, stop.signal)).rejects.toThrow();
    expect(await eraser.erase({ scope: 'stack', stackId: 'shop' }, never)).toMatchObject({
      count: 123,
    });
    expect(await left()).toEqual([1, 1]);
  });

  const scope = (target: ErasureTarget) => (target.scope === 'one' ? 'image' : target.scope);

  async function left(): Promise<readonly number[]> {
    return [await execute(database().pool, sql`select from images`), (await listBlobs(blobs)).length];
  }
});
