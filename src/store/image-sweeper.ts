import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { blobKeyOf, SHARDS } from './image-blobs.ts';
import { findOrphans } from './image-orphans.ts';
import type { ImageRecords } from './image-records.ts';
import { removeImages } from './image-removal.ts';
import { ImageSweepLease } from './image-sweep-lease.ts';

export interface ImageSweeperOptions {
  readonly pool: pg.Pool;
  readonly records: ImageRecords;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
}

/** What a sweep removed. */
export interface SweepCounts {
  readonly expired: number;
  readonly orphanedRows: number;
  readonly orphanedBytes: number;
}

const PAGE = 100;

/** Removes images whose time is over, and whatever an interrupted keep or removal left behind. */
export class ImageSweeper {
  readonly #options: ImageSweeperOptions;
  readonly #lease: ImageSweepLease;

  constructor(options: ImageSweeperOptions) {
    this.#options = options;
    this.#lease = new ImageSweepLease(options.pool);
  }

  /** One sweep, to its end; undefined when another process is at it. */
  async sweep(signal: AbortSignal): Promise<SweepCounts | undefined> {
    const task = await this.#lease.take();
    if (task === undefined) return undefined;
    try {
      const expired = await this.#removeExpired(signal);
      await this.#tidyLines();
      const { searchFromShard } = task;
      const orphans =
        searchFromShard === undefined ? noOrphans : await this.#removeOrphans(searchFromShard, signal);
      return { expired, ...orphans };
    } finally {
      // Where the database cannot be told, the lease runs out.
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

  /** Lines that nobody enters any more keep what killed processes left in them. */
  async #tidyLines(): Promise<void> {
    await this.#options.pool.query(`delete from image_places where lease_until <= now()`);
    await this.#options.pool.query(
      `delete from image_submissions where submitted_at <= now() - interval '1 minute'`,
    );
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
