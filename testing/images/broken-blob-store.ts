import type { BlobKey } from '../../src/blobs/blob-key.ts';
import type { BlobBytes } from '../../src/blobs/blob-store.ts';
import { MemoryBlobStore } from '../memory-blob-store.ts';

/** An in-memory blob store whose calls can fail or wait. */
export class BrokenBlobStore extends MemoryBlobStore {
  putFailure: Error | undefined;
  getFailure: Error | undefined;
  deleteFailure: Error | undefined;
  /** Called after a put. */
  afterPut: () => void | Promise<void> = () => {};

  override async put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void> {
    if (this.putFailure !== undefined) throw this.putFailure;
    await super.put(key, bytes, signal);
    await this.afterPut();
  }

  override async get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (this.getFailure !== undefined) throw this.getFailure;
    return await super.get(key, signal);
  }

  override async delete(key: BlobKey, signal: AbortSignal): Promise<boolean> {
    if (this.deleteFailure !== undefined) throw this.deleteFailure;
    return await super.delete(key, signal);
  }
}
