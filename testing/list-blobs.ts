import type { BlobEntry, BlobStore } from '../src/blobs/blob-store.ts';

/** All entries under the prefix. */
export async function listBlobs(
  store: BlobStore,
  prefix = '',
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for await (const entry of store.list(prefix, signal)) entries.push(entry);
  return entries;
}
