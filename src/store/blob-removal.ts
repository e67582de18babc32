import type { BlobStore } from '../blobs/blob-store.ts';
import type { BlobNaming } from './blob-naming.ts';
import type { BlobRows } from './blob-rows.ts';
import { removeBlobs } from './remove-blobs.ts';

/**
 * Removes things whose rows are marked: bytes first, so that the row lasts as long as there are bytes to remove.
 * Returns how many were removed; throws when every removal failed.
 */
export async function removeWithBlobs(
  ids: readonly string[],
  {
    rows,
    naming,
    blobs,
    signal,
  }: {
    readonly rows: BlobRows;
    readonly naming: BlobNaming;
    readonly blobs: BlobStore;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const gone: string[] = [];
  let failure: unknown;
  const results = await removeBlobs(
    blobs,
    ids.map((id) => naming.keyOf(id)),
    signal,
  );
  for (const [index, result] of results.entries()) {
    const id = ids[index];
    if (result.status === 'rejected') failure = result.reason;
    else if (id !== undefined) gone.push(id);
  }
  if (gone.length === 0 && failure !== undefined) throw failure;
  if (gone.length > 0) await rows.remove(gone);
  return gone.length;
}
