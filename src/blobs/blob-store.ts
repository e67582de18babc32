import type { BlobKey } from './blob-key.ts';

/** What a store says about a blob without reading it. */
export interface BlobEntry {
  readonly key: BlobKey;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** The bytes of a blob, whole or as they come. */
export type BlobBytes = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Bytes under names. A blob is there whole or not at all, for every reader and after every crash;
 * when a call returns, what it did lasts. No room is thrown as StorageFull.
 */
export interface BlobStore {
  /** Keeps the bytes, replacing what was under the key in one step: of concurrent puts the last to finish stays. A put that throws leaves nothing of its bytes. */
  put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void>;
  /** The bytes under the key, undefined where there are none. */
  get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Removes the blob; false when there was none, which is no failure. */
  delete(key: BlobKey, signal: AbortSignal): Promise<boolean>;
  /** The blobs whose key starts with the prefix ('' for all), in byte order of their keys. Changes made meanwhile may or may not show. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<BlobEntry>;
  /** Returns when a blob can be written, read back and removed; throws what stands in the way. */
  check(signal: AbortSignal): Promise<void>;
}
