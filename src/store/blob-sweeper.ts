import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { type BlobNaming, SHARDS } from './blob-naming.ts';
import { findOrphans } from './blob-orphans.ts';
import { removeWithBlobs } from './blob-removal.ts';
import type { BlobRows } from './blob-rows.ts';
import { mostRemovals } from './remove-blobs.ts';
import { LEASE_SECONDS, SweepLease } from './sweep-lease.ts';

export interface BlobSweeperOptions {
  readonly pool: pg.Pool;
  /** The table of its lease. */
  readonly table: 'image_sweeps' | 'file_sweeps';
  readonly rows: BlobRows;
  readonly naming: BlobNaming;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
  /** Other work of a sweep. */
  readonly tidy?: () => Promise<void>;
}

/** How many things a sweep removed. */
export interface SweepCounts {
  readonly expired: number;
  readonly orphanedRows: number;
  readonly orphanedBytes: number;
}

/** The last of a lease is for the rows of what was removed. */
const ROWS_MS = 30_000;
/** Removed before the lease is renewed: no more than the lease has time for where each removal hangs. */
const PAGE = mostRemovals(LEASE_SECONDS * 1_000 - ROWS_MS);

/** Removes expired things with their bytes, and the remains of an interrupted storing or removal. */
export class BlobSweeper {
  readonly #options: BlobSweeperOptions;
  readonly #lease: SweepLease;

  constructor(options: BlobSweeperOptions) {
    this.#options = options;
    this.#lease = new SweepLease(options.pool, options.table);
  }

  /** One complete sweep; undefined when another process sweeps. */
  async sweep(signal: AbortSignal): Promise<SweepCounts | undefined> {
    const task = await this.#lease.take();
    if (task === undefined) return undefined;
    try {
      const expired = await this.#removeExpired(signal);
      await this.#options.tidy?.();
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
      const ids = await this.#options.rows.expired(PAGE);
      if (ids.length === 0) return count;
      count += await removeWithBlobs(ids, { ...this.#options, signal });
      await this.#lease.renew();
    }
  }

  async #removeOrphans(fromShard: number, signal: AbortSignal): Promise<Omit<SweepCounts, 'expired'>> {
    const { rows, naming, blobs, clock } = this.#options;
    const counts = { ...noOrphans };
    for (let shard = fromShard; shard < SHARDS; shard++) {
      const search = { rows, naming, blobs, shard, nowMs: clock.nowMs(), signal };
      for await (const { id, kind } of findOrphans(search)) {
        if (kind === 'bytes') {
          await blobs.delete(naming.keyOf(id), signal);
          counts.orphanedBytes++;
        } else {
          await rows.remove([id]);
          counts.orphanedRows++;
        }
        // A shard may have many, and a removal may take long.
        await this.#lease.renew();
      }
      await this.#lease.renew();
      await this.#lease.searched(shard + 1);
    }
    await this.#lease.finishSearch();
    return counts;
  }
}

const noOrphans = { orphanedRows: 0, orphanedBytes: 0 };
