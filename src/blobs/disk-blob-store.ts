import { chmod, type FileHandle, mkdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { foldersOfKey, listBlobFiles, pathOfKey } from './blob-files.ts';
import { type BlobKey, parseBlobKey, parseKeyPrefix } from './blob-key.ts';
import type { BlobBytes, BlobEntry, BlobStore } from './blob-store.ts';
import { byteChunks } from './byte-chunks.ts';
import { createFile, ensureFolder, flushFolder, openFile, removeFile, writeWhole } from './durable-file.ts';
import { reportingFullStorage } from './storage-full.ts';
import { TemporaryFolder } from './temporary-folder.ts';
import { whenMissing } from './when-missing.ts';

export interface DiskBlobStoreOptions {
  /** Created with mode 0700 if missing; may itself be a symbolic link. */
  readonly directory: string;
  /** Opens a new file for writing; replaced in tests. */
  readonly createFile?: (path: string) => Promise<FileHandle>;
}

const MAXIMUM_KNOWN_FOLDERS = 10_000;

/**
 * Blobs as files in one folder, readable by its owner only. Bytes are written to a temporary file, flushed and renamed, so a
 * file under its key is always complete. Symbolic links below the folder are never followed.
 */
export class DiskBlobStore implements BlobStore {
  readonly #root: string;
  readonly #temporary: TemporaryFolder;
  readonly #createFile: (path: string) => Promise<FileHandle>;
  /** Folders whose entry in their parent is flushed. */
  readonly #knownFolders = new Set<string>();

  private constructor(root: string, temporary: TemporaryFolder, options: DiskBlobStoreOptions) {
    this.#root = root;
    this.#temporary = temporary;
    this.#createFile = options.createFile ?? createFile;
  }

  /** Creates the folder if missing, and removes temporary files of killed processes. */
  static async open(options: DiskBlobStoreOptions): Promise<DiskBlobStore> {
    return await reportingFullStorage(async () => {
      await mkdir(options.directory, { recursive: true, mode: 0o700 });
      const root = await realpath(options.directory);
      await chmod(root, 0o700);
      const temporary = await TemporaryFolder.open(join(root, '.tmp'));
      await flushFolder(dirname(root));
      return new DiskBlobStore(root, temporary, options);
    });
  }

  async put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void> {
    const target = pathOfKey(this.#root, parseBlobKey(key));
    await this.#writing(async (temporaryPath) => {
      await this.#write(temporaryPath, bytes, signal);
      await this.#makeFolders(key);
      signal.throwIfAborted();
      await rename(temporaryPath, target);
      await flushFolder(dirname(target)).catch(async (error: unknown) => {
        await rm(target, { force: true });
        throw error;
      });
    });
  }

  async get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const path = pathOfKey(this.#root, parseBlobKey(key));
    if (!(await isRealFolder(dirname(path)))) return undefined;
    const file = await openFile(path);
    if (file === undefined) return undefined;
    try {
      if (!(await file.stat()).isFile()) return undefined;
      return await file.readFile({ signal });
    } finally {
      await file.close();
    }
  }

  async delete(key: BlobKey, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const path = pathOfKey(this.#root, parseBlobKey(key));
    if (!(await isRealFolder(dirname(path)))) return false;
    const wasThere = await removeFile(path);
    // Also if it was missing: another process may have removed it and died before its flush.
    await flushFolder(dirname(path));
    return wasThere;
  }

  list(prefix: string, signal: AbortSignal): AsyncIterable<BlobEntry> {
    return listBlobFiles(this.#root, parseKeyPrefix(prefix), signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    const probe = Buffer.from('probe');
    await this.#writing(async (temporaryPath) => {
      await this.#write(temporaryPath, probe, signal);
      const file = await openFile(temporaryPath);
      const read = await file?.readFile({ signal }).finally(() => file.close());
      if (read === undefined || !probe.equals(read)) {
        throw new Error(`${this.#root} does not give back what was written to it`);
      }
    });
  }

  /** Provides a temporary path, and removes what is left there afterwards. */
  async #writing(work: (temporaryPath: string) => Promise<void>): Promise<void> {
    const temporaryPath = this.#temporary.newPath();
    try {
      await reportingFullStorage(() => work(temporaryPath));
    } finally {
      await rm(temporaryPath, { force: true });
    }
  }

  async #write(path: string, bytes: BlobBytes, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const file = await this.#createFile(path);
    try {
      for await (const chunk of byteChunks(bytes, signal)) await writeWhole(file, chunk);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** An existing folder may not have been flushed by its creator, so each is flushed once here. */
  async #makeFolders(key: BlobKey): Promise<void> {
    for (const folder of foldersOfKey(this.#root, key)) {
      const isNew = await ensureFolder(folder);
      if (!isNew && this.#knownFolders.has(folder)) continue;
      await flushFolder(dirname(folder));
      if (this.#knownFolders.size >= MAXIMUM_KNOWN_FOLDERS) this.#knownFolders.clear();
      this.#knownFolders.add(folder);
    }
  }
}

/** False if the folder is missing or behind a symbolic link. */
async function isRealFolder(path: string): Promise<boolean> {
  return (await realpath(path).catch(whenMissing(undefined))) === path;
}
