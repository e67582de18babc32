import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { BlobSweeper } from './blob-sweeper.ts';
import { fileBlobs } from './file-blobs.ts';
import type { FileRecords } from './file-records.ts';

/** Removes expired files, and reservations whose bytes did not come. */
export function fileSweeper(options: {
  readonly pool: pg.Pool;
  readonly records: FileRecords;
  readonly blobs: BlobStore;
  readonly clock: WallClock;
}): BlobSweeper {
  return new BlobSweeper({ ...options, table: 'file_sweeps', naming: fileBlobs });
}
