import type { BlobKey } from '../blobs/blob-key.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Fault } from '../faults/fault.ts';

// A part that no client waits for alone is read for this long at most.
const LONGEST_READ_MS = 30_000;

/** Reads a blob for a request: a storage that fails, or takes too long, becomes 503. Undefined if there is no such blob. */
export async function readBlob(
  blobs: Pick<BlobStore, 'get'>,
  key: BlobKey,
  signal?: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await blobs.get(key, signal ?? AbortSignal.timeout(LONGEST_READ_MS));
  } catch (cause) {
    // The client has left.
    signal?.throwIfAborted();
    throw new Fault('storage-away', 'The gateway cannot read its storage at the moment.', { cause });
  }
}
