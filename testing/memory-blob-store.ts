import { type BlobKey, isBlobKey, parseBlobKey, parseKeyPrefix } from '../src/blobs/blob-key.ts';
import type { BlobBytes, BlobEntry, BlobStore } from '../src/blobs/blob-store.ts';
import { byteChunks } from '../src/blobs/byte-chunks.ts';

interface StoredBlob {
  readonly bytes: Uint8Array;
  readonly modifiedAt: Date;
}

/** An in-memory blob store for tests. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobs = new Map<string, StoredBlob>();

  async put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void> {
    parseBlobKey(key);
    const chunks: Uint8Array[] = [];
    // Copied at once: the caller may reuse its buffer.
    for await (const chunk of byteChunks(bytes, signal)) chunks.push(Uint8Array.from(chunk));
    signal.throwIfAborted();
    this.#blobs.set(key, { bytes: Buffer.concat(chunks), modifiedAt: new Date() });
  }

  async get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const blob = this.#blobs.get(parseBlobKey(key));
    return blob && Uint8Array.from(blob.bytes);
  }

  async delete(key: BlobKey, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    return this.#blobs.delete(parseBlobKey(key));
  }

  list(prefix: string, signal: AbortSignal): AsyncIterable<BlobEntry> {
    return this.#list(parseKeyPrefix(prefix), signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
  }

  async *#list(prefix: string, signal: AbortSignal): AsyncGenerator<BlobEntry> {
    for (const key of [...this.#blobs.keys()].sort()) {
      signal.throwIfAborted();
      const blob = this.#blobs.get(key);
      if (blob === undefined || !key.startsWith(prefix) || !isBlobKey(key)) continue;
      yield { key, sizeBytes: blob.bytes.byteLength, modifiedAt: blob.modifiedAt };
    }
  }
}
