import type { BlobStore } from '../blobs/blob-store.ts';
import { Fault } from '../faults/fault.ts';
import { isFileId } from '../files/file-id.ts';
import type {
  FilePage,
  FileQuery,
  FileStore,
  NewFile,
  PendingFile,
  StoredFile,
} from '../files/file-store.ts';
import { sha256Of } from '../lib/sha256.ts';
import { orDatabaseAway } from './database-errors.ts';
import { fileBlobs } from './file-blobs.ts';
import type { FileRecords } from './file-records.ts';
import { readBlob } from './read-blob.ts';

export interface SqlFilesOptions {
  readonly records: FileRecords;
  readonly blobs: BlobStore;
}

// Removal continues when the client has left, for this long at most.
const TIDY_MS = 10_000;

/**
 * Files as rows and blobs. A file is stored row first, so that no bytes are without a row; it is there once its row has their
 * hash. To remove it, the row is marked, then bytes and row are removed. The sweeper finishes what was interrupted.
 */
export class SqlFiles implements FileStore {
  readonly #records: FileRecords;
  readonly #blobs: BlobStore;

  constructor({ records, blobs }: SqlFilesOptions) {
    this.#records = records;
    this.#blobs = blobs;
  }

  async reserve(file: NewFile): Promise<PendingFile> {
    return await orDatabaseAway(this.#records.reserve(file));
  }

  async findPending(stackId: string, id: string): Promise<PendingFile | undefined> {
    if (!isFileId(id)) return undefined;
    return await orDatabaseAway(this.#records.findPending(stackId, id));
  }

  async store(
    stackId: string,
    id: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<StoredFile | undefined> {
    if (!isFileId(id) || !(await orDatabaseAway(this.#records.beginStoring(stackId, id)))) return undefined;
    try {
      const sha256 = await sha256Of(bytes);
      await this.#blobs.put(fileBlobs.keyOf(id), bytes, signal);
      signal.throwIfAborted();
      const stored = await this.#records.finishStoring(id, { sizeBytes: bytes.byteLength, sha256 });
      if (stored === undefined) await this.#deleteBytes(id);
      return stored;
    } catch (error) {
      const stored = await this.#recover(stackId, id);
      if (stored !== undefined) return stored;
      signal.throwIfAborted();
      throw new Fault('file-not-stored', 'The file could not be stored; retry.', { cause: error });
    }
  }

  async list(query: FileQuery): Promise<FilePage> {
    return await orDatabaseAway(this.#records.list(query));
  }

  async find(stackId: string, id: string): Promise<StoredFile | undefined> {
    if (!isFileId(id)) return undefined;
    return await orDatabaseAway(this.#records.find(stackId, id));
  }

  async findAll(stackId: string, ids: readonly string[]): Promise<readonly StoredFile[]> {
    return ids.length === 0 ? [] : await orDatabaseAway(this.#records.findAll(stackId, ids));
  }

  async readBytes(stackId: string, id: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if ((await this.find(stackId, id)) === undefined) return undefined;
    return await readBlob(this.#blobs, fileBlobs.keyOf(id), signal);
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    if (!isFileId(id) || !(await orDatabaseAway(this.#records.expire(stackId, id)))) return false;
    // From here on no caller sees it. If the bytes cannot be removed now, the sweeper removes them.
    await this.#deleteBytes(id)
      .then(() => this.#records.rows.remove([id]))
      .catch(() => {});
    return true;
  }

  /** After a broken connection it is unknown whether the row was finished: then the file is stored, else its bytes are removed. */
  async #recover(stackId: string, id: string): Promise<StoredFile | undefined> {
    try {
      const stored = await this.#records.find(stackId, id);
      if (stored !== undefined) return stored;
      await this.#deleteBytes(id);
      await this.#records.stopStoring(id);
    } catch {
      // The row is a reservation that ends by itself, and the sweeper removes its bytes.
    }
    return undefined;
  }

  async #deleteBytes(id: string): Promise<void> {
    await this.#blobs.delete(fileBlobs.keyOf(id), AbortSignal.timeout(TIDY_MS));
  }
}
