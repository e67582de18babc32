import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { keepExpired } from '../../testing/images/keep-expired.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import { newImageId } from '../images/image-id.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { ORPHAN_AGE_MS } from './blob-orphans.ts';
import { blobKeyOf } from './image-blobs.ts';
import { ImageRecords } from './image-records.ts';
import { ImageSweeper } from './image-sweeper.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';
import { SqlGallery } from './sql-gallery.ts';

const idRow = z.object({ id: z.string() });

const never = new AbortController().signal;
const nothing = { expired: 0, orphanedRows: 0, orphanedBytes: 0 };
const muchLater = { nowMs: () => Date.now() + 2 * ORPHAN_AGE_MS };

describeOnDatabases('ImageSweeper', (database) => {
  let blobs: BrokenBlobStore;
  let gallery: SqlGallery;
  beforeEach(async () => {
    await storeOwners(database().pool);
    blobs = new BrokenBlobStore();
    gallery = new SqlGallery({ records: new ImageRecords(database().pool), blobs, retentionDays: 30 });
  });

  it('removes row and bytes of expired images, in pages, and nothing else', async () => {
    await keepExpired(database().pool, blobs, 205);
    const { id } = await gallery.keep(makeImage(), never);
    expect(await sweeper().sweep(never)).toEqual({ ...nothing, expired: 205 });
    expect(await rowNames()).toEqual([id]);
    expect(await blobNames()).toEqual([blobKeyOf(id)]);
    expect(await sweeper().sweep(never)).toEqual(nothing);
  });

  it('continues when bytes cannot be removed, and removes them the next time', async () => {
    const stuck = await gallery.keep(makeImage(), never);
    const other = await gallery.keep(makeImage(), never);
    await execute(database().pool, sql`update images set expires_at = now()`);
    const remove = blobs.delete.bind(blobs);
    blobs.delete = async (key, signal) => {
      if (key === blobKeyOf(stuck.id)) throw new Error('away');
      return await remove(key, signal);
    };
    await expect(sweeper().sweep(never)).rejects.toThrow('away');
    expect(await rowNames()).toEqual([stuck.id]);
    expect(await blobNames()).not.toContain(blobKeyOf(other.id));
    blobs.delete = remove;
    expect(await sweeper().sweep(never)).toEqual({ ...nothing, expired: 1 });
    expect([await rowNames(), await blobNames()]).toEqual([[], []]);
  });

  it('removes old orphans of either kind, and no complete image', async () => {
    const whole = await gallery.keep(makeImage(), never);
    const rowOnly = await gallery.keep(makeImage(), never);
    await blobs.delete(blobKeyOf(rowOnly.id), never);
    await blobs.put(blobKeyOf(newImageId()), Buffer.from('bytes only'), never);
    await blobs.put(parseBlobKey('images/ab/of-something-else'), Buffer.from('x'), never);
    expect(await sweeper().sweep(never)).toEqual(nothing);
    await searchIsDue();
    expect(await sweeper(muchLater).sweep(never)).toEqual({ expired: 0, orphanedRows: 1, orphanedBytes: 1 });
    expect(await rowNames()).toEqual([whole.id]);
    expect(await blobNames()).toEqual([blobKeyOf(whole.id), 'images/ab/of-something-else'].toSorted());
  });

  it('searches once a day, and continues where it was interrupted', async () => {
    const early = `img_01${'0'.repeat(30)}`;
    const late = `img_f1${'0'.repeat(30)}`;
    for (const id of [early, late]) await blobs.put(blobKeyOf(id), Buffer.from('x'), never);
    const interrupted = new AbortController();
    const remove = blobs.delete.bind(blobs);
    blobs.delete = async (key, signal) => {
      if (key === blobKeyOf(late)) interrupted.abort(new Error('stopped'));
      signal.throwIfAborted();
      return await remove(key, signal);
    };
    await expect(sweeper(muchLater).sweep(interrupted.signal)).rejects.toThrow('stopped');
    blobs.delete = remove;
    await blobs.put(blobKeyOf(early), Buffer.from('again'), never);
    expect(await sweeper(muchLater).sweep(never)).toEqual({ ...nothing, orphanedBytes: 1 });
    expect(await blobNames()).toEqual([blobKeyOf(early)]);
    expect(await sweeper(muchLater).sweep(never)).toEqual(nothing);
    await searchIsDue();
    expect(await sweeper(muchLater).sweep(never)).toEqual({ ...nothing, orphanedBytes: 1 });
  });

  it('leaves the work to the process that sweeps, and takes over when that one has ended', async () => {
    await gallery.keep(makeImage(), never);
    await execute(database().pool, sql`update images set expires_at = now()`);
    let secondSweep: unknown = 'not asked';
    const remove = blobs.delete.bind(blobs);
    blobs.delete = async (key, signal) => {
      secondSweep = await sweeper().sweep(never);
      return await remove(key, signal);
    };
    expect(await sweeper().sweep(never)).toMatchObject({ expired: 1 });
    expect(secondSweep).toBeUndefined();
    await execute(
      database().pool,
      sql`update image_sweeps set holder = 'killed', lease_until = now() + interval '5 minutes'`,
    );
    expect(await sweeper().sweep(never)).toBeUndefined();
    await execute(database().pool, sql`update image_sweeps set lease_until = now()`);
    expect(await sweeper().sweep(never)).toEqual(nothing);
  });

  it('stops when another process took over', async () => {
    await gallery.keep(makeImage(), never);
    await execute(database().pool, sql`update images set expires_at = now()`);
    const remove = blobs.delete.bind(blobs);
    blobs.delete = async (key, signal) => {
      await execute(database().pool, sql`update image_sweeps set holder = 'other'`);
      return await remove(key, signal);
    };
    await expect(sweeper().sweep(never)).rejects.toThrow('another process took the sweep over');
  });

  it('removes the rows of killed processes from unused queues', async () => {
    const { pool } = database();
    await execute(
      pool,
      sql`insert into image_places (stack_id, rendering, rendering_limit, lease_until)
        values ('gone', true, 1, now()), ('alive', true, 1, now() + interval '15 seconds')`,
    );
    await execute(
      pool,
      sql`insert into image_submissions (stack_id, submitted_at)
        values ('gone', now() - interval '1 minute'), ('alive', now())`,
    );
    await sweeper().sweep(never);
    const stackIds = sql`select stack_id as id from image_places union all select stack_id from image_submissions`;
    expect(await queryRows(pool, idRow, stackIds)).toEqual([{ id: 'alive' }, { id: 'alive' }]);
  });

  function sweeper(clock = wallClock): ImageSweeper {
    return new ImageSweeper({ pool: database().pool, blobs, clock });
  }

  async function searchIsDue(): Promise<void> {
    await execute(database().pool, sql`update image_sweeps set searched_at = now() - interval '1 day'`);
  }

  async function rowNames(): Promise<readonly string[]> {
    const rows = await queryRows(database().pool, idRow, sql`select id from images order by id`);
    return rows.map(({ id }) => id);
  }

  async function blobNames(): Promise<readonly string[]> {
    return (await listBlobs(blobs)).map(({ key }) => key);
  }
});
