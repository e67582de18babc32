import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { BlobRows } from './blob-rows.ts';
import { BlobSweeper, type SweepCounts } from './blob-sweeper.ts';
import { imageBlobs } from './image-blobs.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';

export interface ImageSweeperOptions {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
}

/** Removes expired images, and the rows of killed processes from their queue. */
export class ImageSweeper {
  readonly #sweeper: BlobSweeper;

  constructor(options: ImageSweeperOptions) {
    this.#sweeper = new BlobSweeper({
      ...options,
      table: 'image_sweeps',
      rows: new BlobRows(options.pool, 'images'),
      naming: imageBlobs,
      tidy: () => tidyQueues(options.pool),
    });
  }

  /** One complete sweep; undefined when another process sweeps. */
  sweep(signal: AbortSignal): Promise<SweepCounts | undefined> {
    return this.#sweeper.sweep(signal);
  }
}

/** Removes the rows of killed processes from queues that get no new submissions. */
async function tidyQueues(pool: pg.Pool): Promise<void> {
  await execute(pool, sql`delete from image_places where lease_until <= now()`);
  await execute(pool, sql`delete from image_submissions where submitted_at <= now() - interval '1 minute'`);
}
