import type { BlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';

const AT_ONCE = 8;
const REMOVAL_MS = 30_000;

/** How many removals end in this time even if each takes as long as it may. */
export function mostRemovals(withinMs: number): number {
  return AT_ONCE * Math.floor(withinMs / REMOVAL_MS);
}

/** Removes blobs, a few at a time. The results are in the order of the keys; throws only when the signal aborts. */
export async function removeBlobs(
  blobs: Pick<BlobStore, 'delete'>,
  keys: readonly BlobKey[],
  signal: AbortSignal,
): Promise<readonly PromiseSettledResult<boolean>[]> {
  const results: PromiseSettledResult<boolean>[] = [];
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    signal.throwIfAborted();
    // Each has a signal of its own: an S3 client listens to it once per request, and Node warns of more than ten listeners.
    const batch = keys
      .slice(start, start + AT_ONCE)
      .map((key) => blobs.delete(key, AbortSignal.any([signal, AbortSignal.timeout(REMOVAL_MS)])));
    results.push(...(await Promise.allSettled(batch)));
  }
  return results;
}
