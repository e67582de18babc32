import type pg from 'pg';
import type { Operator } from '../access/operator.ts';
import type { BlobStore } from '../blobs/blob-store.ts';

/** The database that an operator works on, and who that is. */
export interface OperatorWork {
  readonly pool: pg.Pool;
  readonly operator: Operator;
}

/** The database and blobs that an operator works on. */
export interface OperatorStorage extends OperatorWork {
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
}
