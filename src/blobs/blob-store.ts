import type { BlobKey } from './blob-key.ts';

/** A blob's metadata. */
export interface BlobEntry {
  readonly key: BlobKey;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** The bytes of a blob, whole or streamed. */
export type BlobBytes = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Bytes by name. A blob is always complete, for every reader and after every crash, and changes are durable when a call returns.
 * Throws StorageFull if there is no space.
 */
export interface BlobStore {
  /**
   * Stores the bytes, atomically replacing the key's old ones: of concurrent puts the last to finish wins. A failed put leaves
   * nothing behind.
   */
  put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void>;
  /** The bytes are the caller's own, who may free them. Undefined if there is no such blob. */
  get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** False if there was no such blob. */
  delete(key: BlobKey, signal: AbortSignal): Promise<boolean>;
  /**
   * The blobs whose key starts with the prefix ('' for all), in byte order of their keys. Concurrent changes may or may not
   * show.
   */
  list(prefix: string, signal: AbortSignal): AsyncIterable<BlobEntry>;
  /** Checks that a blob can be written, read back and removed; throws otherwise. */
  check(signal: AbortSignal): Promise<void>;
}
