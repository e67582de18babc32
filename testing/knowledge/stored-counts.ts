import type pg from 'pg';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { listBlobs } from '../list-blobs.ts';

/** Number of stored rows of all stacks' knowledge. */
export interface StoredCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly blobs: number;
  readonly leftovers: number;
}

export async function storedCounts(pool: pg.Pool, blobs: BlobStore): Promise<StoredCounts> {
  const { rows } = await pool.query<Omit<StoredCounts, 'blobs'>>(
    `select (select count(*)::integer from knowledge_documents) as documents,
       (select count(*)::integer from knowledge_chunks) as chunks,
       (select count(*)::integer from knowledge_leftovers) as leftovers`,
  );
  if (rows[0] === undefined) throw new Error('counting returned no row');
  return { ...rows[0], blobs: (await listBlobs(blobs)).length };
}
