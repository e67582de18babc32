import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { blobKeyOf, SHARDS } from './image-blobs.ts';
import { findOrphans } from './image-orphans.ts';
import type { ImageRecords } from './image-records.ts';
import { removeImages } from './image-removal.ts';
import { ImageSweepLease } from './image-sweep-lease.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';

export interface ImageSweeperOptions {
  readonly pool: pg.Pool;
  readonly records: ImageRecords;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
}

/** How many images a sweep removed. */
export interface SweepCounts {
  readonly expired: number;
  readonly orphanedRows: number;
  readonly orphanedBytes: number;
}

const PAGE = 100;

/** Removes expired images, and the remains of an interrupted keep or removal. */
export class ImageSweeper {
  readonly #options: ImageSweeperOptions;
  readonly #lease: ImageSweepLease;

  constructor(options: ImageSweeperOptions) {
    this.#options = options;
    this.#lease = new ImageSweepLease(options.pool);
  }

  /** One complete sweep; undefined when another process sweeps. */
  async sweep(signal: AbortSignal): Promise<SweepCounts | undefined> {
    const task = await this.#lease.take();
    if (task === undefined) return undefined;
    try {
      const expired = await this.#removeExpired(signal);
      await this.#tidyQueues();
      const { searchFromShard } = task;
      const orphans =
        searchFromShard === undefined ? noOrphans : await this.#removeOrphans(searchFromShard, signal);
      return { expired, ...orphans };
    } finally {
      // If the database cannot be reached, the lease runs out.
      await this.#lease.release().catch(() => {});
    }
  }

  async #removeExpired(signal: AbortSignal): Promise<number> {
    let count = 0;
    for (;;) {
      const ids = await this.#options.records.expired(PAGE);
      if (ids.length === 0) return count;
      count += await removeImages(ids, { ...this.#options, signal });
      await this.#lease.renew();
    }
  }

  /** Removes the rows of killed processes from queues that get no new submissions. */
  async #tidyQueues(): Promise<void> {
    const { pool } = this.#options;
    await execute(pool, sql`delete from image_places where lease_until <= now()`);
    await execute(pool, sql`delete from image_submissions where submitted_at <= now() - interval '1 minute'`);
  }

  async #removeOrphans(fromShard: number, signal: AbortSignal): Promise<Omit<SweepCounts, 'expired'>> {
    const { records, blobs, clock } = this.#options;
    const counts = { ...noOrphans };
    for (let shard = fromShard; shard < SHARDS; shard++) {
      for await (const { id, kind } of findOrphans({ records, blobs, shard, nowMs: clock.nowMs(), signal })) {
        if (kind === 'bytes') {
          await blobs.delete(blobKeyOf(id), signal);
          counts.orphanedBytes++;
        } else {
          await records.remove([id]);
          counts.orphanedRows++;
        }
      }
      await this.#lease.renew();
      await this.#lease.searched(shard + 1);
    }
    await this.#lease.finishSearch();
    return counts;
  }
}

const noOrphans = { orphanedRows: 0, orphanedBytes: 0 };
