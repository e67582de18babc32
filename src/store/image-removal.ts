import type { BlobStore } from '../blobs/blob-store.ts';
import { blobKeyOf } from './image-blobs.ts';
import type { ImageRecords } from './image-records.ts';

const AT_ONCE = 8;

/**
 * Removes images whose rows are marked: bytes first, so that the row lasts as long as there are bytes to remove.
 * Returns how many were removed; throws when every removal failed.
 */
export async function removeImages(
  ids: readonly string[],
  { records, blobs, signal }: { records: ImageRecords; blobs: BlobStore; signal: AbortSignal },
): Promise<number> {
  const gone: string[] = [];
  let failure: unknown;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    signal.throwIfAborted();
    const batch = ids.slice(start, start + AT_ONCE);
    const results = await Promise.allSettled(batch.map((id) => blobs.delete(blobKeyOf(id), signal)));
    for (const [index, result] of results.entries()) {
      const id = batch[index];
      if (result.status === 'rejected') failure = result.reason;
      else if (id !== undefined) gone.push(id);
    }
  }
  if (gone.length === 0 && failure !== undefined) throw failure;
  if (gone.length > 0) await records.remove(gone);
  return gone.length;
}
