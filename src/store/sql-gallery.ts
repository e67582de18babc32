import { createHash } from 'node:crypto';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Fault } from '../faults/fault.ts';
import type { Gallery, GalleryPage, GalleryQuery, NewImage, StoredImage } from '../images/gallery.ts';
import { isImageId } from '../images/image-id.ts';
import { orDatabaseAway } from './database-errors.ts';
import { blobKeyOf } from './image-blobs.ts';
import type { ImageRecords } from './image-records.ts';
import { readBlob } from './read-blob.ts';

export interface SqlGalleryOptions {
  readonly records: ImageRecords;
  readonly blobs: BlobStore;
  readonly retentionDays: number;
}

// Removal continues when the client has left, for this long at most.
const TIDY_MS = 10_000;

/**
 * Images as blobs and rows. An image is stored bytes first: it exists with its row. To remove it, the row is marked,
 * then bytes and row are removed. The sweeper finishes an interrupted removal.
 */
export class SqlGallery implements Gallery {
  readonly #records: ImageRecords;
  readonly #blobs: BlobStore;
  readonly #retentionDays: number;

  constructor({ records, blobs, retentionDays }: SqlGalleryOptions) {
    this.#records = records;
    this.#blobs = blobs;
    this.#retentionDays = retentionDays;
  }

  async keep(image: NewImage, signal: AbortSignal): Promise<StoredImage> {
    const { png, id } = image;
    const key = blobKeyOf(id);
    const bytes = { sizeBytes: png.byteLength, sha256: createHash('sha256').update(png).digest('hex') };
    try {
      await this.#blobs.put(key, png, signal);
      signal.throwIfAborted();
      const stored = await this.#records.insert(image, bytes, this.#retentionDays);
      signal.throwIfAborted();
      return stored;
    } catch (error) {
      await this.#forget(id);
      signal.throwIfAborted();
      throw new Fault('image-not-stored', 'The image was made but could not be stored.', {
        cause: error,
      });
    }
  }

  async list(query: GalleryQuery, _signal: AbortSignal): Promise<GalleryPage> {
    return await orDatabaseAway(this.#records.list(query));
  }

  async find(stackId: string, id: string, _signal: AbortSignal): Promise<StoredImage | undefined> {
    if (!isImageId(id)) return undefined;
    return await orDatabaseAway(this.#records.find(stackId, id));
  }

  async readPng(stackId: string, id: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if ((await this.find(stackId, id, signal)) === undefined) return undefined;
    return await readBlob(this.#blobs, blobKeyOf(id), signal);
  }

  async remove(stackId: string, id: string, _signal: AbortSignal): Promise<boolean> {
    if (!isImageId(id) || !(await orDatabaseAway(this.#records.expire(stackId, id)))) return false;
    // From here on no caller sees it. If the bytes cannot be removed now, the sweeper removes them.
    await this.#blobs
      .delete(blobKeyOf(id), AbortSignal.timeout(TIDY_MS))
      .then(() => this.#records.rows.remove([id]))
      .catch(() => {});
    return true;
  }

  /** Removes all of an image that was not stored. After a broken connection it is unknown whether the row was written. */
  async #forget(id: string): Promise<void> {
    const removals = [
      this.#records.rows.remove([id]),
      this.#blobs.delete(blobKeyOf(id), AbortSignal.timeout(TIDY_MS)),
    ];
    // If a removal fails, the rest is an orphan, which the sweeper finds.
    await Promise.allSettled(removals);
  }
}
