import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../faults/fault.ts';
import { FairQueue } from '../supervision/fair-queue.ts';

/** Bytes that may queue for the disk before the client is paused. */
const PATIENCE_BYTES = 1024 * 1024;

/** Bytes of an upload that are written between two checks of the free disk space. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** Half of the threads that Node has for files and hashes; the others stay free for other work. */
const WRITES_AT_ONCE = 2;
/** More than there are connections; each upload has one write at a time. */
const MAX_WAITING_WRITES = 20_000;

/** The folder for uploads that arrive; their stacks take turns to write. */
export class UploadSpool {
  readonly #folder: string;
  readonly #requireDisk: () => Promise<void>;
  readonly #writes = new FairQueue({ capacity: WRITES_AT_ONCE, maxWaiting: MAX_WAITING_WRITES });

  /** `requireDisk` throws if the disk has too little free space. */
  constructor(folder: string, requireDisk: () => Promise<void>) {
    this.#folder = folder;
    this.#requireDisk = requireDisk;
  }

  /** A new file. It is created with its first byte. */
  open(stackId: string): SpooledFile {
    return new SpooledFile({
      folder: this.#folder,
      requireDisk: this.#requireDisk,
      inTurn: (write) => this.#writes.run(stackId, undefined, write),
    });
  }

  /** Removes the folder; called when no upload arrives any more. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

interface SpooledFileParts {
  readonly folder: string;
  readonly requireDisk: () => Promise<void>;
  readonly inTurn: (write: () => Promise<void>) => Promise<void>;
}

interface WaitingUpload {
  readonly chunk: Buffer;
  readonly onWritten: () => void;
}

/** One upload on the disk. It is removed once it was read back or dropped. */
export class SpooledFile {
  readonly #parts: SpooledFileParts;
  readonly #path: string;
  #uncheckedBytes = 0;
  #file: Promise<FileHandle> | undefined;
  /** Chunks that arrived while the disk was busy; they are written together. */
  #waiting: WaitingUpload[] = [];
  #writing: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #failure: unknown;
  #isDropped = false;

  constructor(parts: SpooledFileParts) {
    this.#parts = parts;
    this.#path = join(parts.folder, randomUUID());
  }

  /** Appends a chunk; calls `onWritten` when it was written or the write failed. */
  write(chunk: Buffer, onWritten: () => void): void {
    this.#waitingBytes += chunk.length;
    this.#waiting.push({ chunk, onWritten });
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#writeWaiting());
  }

  async #writeWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      await this.#parts.inTurn(() => this.#append(waiting.map(({ chunk }) => chunk)));
    } catch (error) {
      this.#failure ??= error;
    }
    for (const { chunk, onWritten } of waiting) {
      this.#waitingBytes -= chunk.length;
      onWritten();
    }
  }

  /** Whether writes are pending. */
  get isBusy(): boolean {
    return this.#waitingBytes > 0;
  }

  /** The pending writes, if there are too many. */
  get congestion(): Promise<void> | undefined {
    return this.#waitingBytes > PATIENCE_BYTES ? this.#writing : undefined;
  }

  /** Reads all bytes and removes the file. */
  async takeBack(): Promise<Buffer> {
    await this.#writing;
    try {
      if (this.#failure !== undefined) throw this.#failure;
      return await readFile(this.#path);
    } catch (cause) {
      throw new Fault('storage-full', 'There is no room for the upload for now; retry.', { cause });
    } finally {
      await this.#remove();
    }
  }

  /** Discards the upload. */
  drop(): void {
    this.#isDropped = true;
    void this.#writing.then(() => this.#remove());
  }

  async #append(chunks: readonly Buffer[]): Promise<void> {
    if (this.#isDropped || this.#failure !== undefined) return;
    this.#file ??= this.#create();
    const file = await this.#file;
    const sizeBytes = chunks.reduce((sum, { length }) => sum + length, 0);
    this.#uncheckedBytes += sizeBytes;
    if (this.#uncheckedBytes > CHECK_EVERY_BYTES) await this.#check();
    const { bytesWritten } = await file.writev(chunks);
    // A nearly full disk takes a part; writing the rest gives the error.
    if (bytesWritten < sizeBytes) await file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
  }

  async #check(): Promise<void> {
    await this.#parts.requireDisk();
    this.#uncheckedBytes = 0;
  }

  async #create(): Promise<FileHandle> {
    await this.#check();
    await mkdir(this.#parts.folder, { recursive: true, mode: 0o700 });
    return await open(this.#path, 'wx', 0o600);
  }

  async #remove(): Promise<void> {
    const file = await this.#file?.catch(() => undefined);
    await file?.close().catch(() => undefined);
    // A file that cannot be removed now is removed with its folder.
    await rm(this.#path, { force: true }).catch(() => undefined);
  }
}
