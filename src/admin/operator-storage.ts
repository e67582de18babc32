import type pg from 'pg';
import type { BlobStore } from '../blobs/blob-store.ts';

/** The database and blobs that an operator's command works on. */
export interface OperatorStorage {
  readonly pool: pg.Pool;
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
}
