import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { BlobRows } from './blob-rows.ts';
import { BlobSweeper } from './blob-sweeper.ts';
import { fileBlobs } from './file-blobs.ts';

/** Removes expired files, and reservations whose bytes did not come. */
export function fileSweeper(options: {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
}): BlobSweeper {
  const rows = new BlobRows(options.pool, 'files');
  return new BlobSweeper({ ...options, rows, table: 'file_sweeps', naming: fileBlobs });
}
