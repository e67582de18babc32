import { createHash } from 'node:crypto';
import { createdAtOf } from '../../src/files/file-id.ts';
import {
  type FilePage,
  type FileQuery,
  type FileStore,
  type NewFile,
  PENDING_SECONDS,
  type PendingFile,
  type StoredFile,
} from '../../src/files/file-store.ts';

interface Entry {
  readonly file: NewFile;
  readonly expiresAt: Date;
  readonly bytes?: Uint8Array;
}

/** An in-memory file store for tests. */
export class MemoryFileStore implements FileStore {
  readonly #entries = new Map<string, Entry>();

  async reserve(file: NewFile): Promise<PendingFile> {
    const entry = { file, expiresAt: inSeconds(PENDING_SECONDS) };
    this.#entries.set(file.id, entry);
    return pendingFile(entry);
  }

  async findPending(stackId: string, id: string): Promise<PendingFile | undefined> {
    const entry = this.#find(stackId, id);
    return entry?.bytes === undefined ? entry && pendingFile(entry) : undefined;
  }

  async store(
    stackId: string,
    id: string,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<StoredFile | undefined> {
    signal.throwIfAborted();
    const entry = this.#find(stackId, id);
    if (entry === undefined || entry.bytes !== undefined) return undefined;
    const { file } = entry;
    this.#entries.set(id, { file, expiresAt: inSeconds(file.keepSeconds), bytes: Uint8Array.from(bytes) });
    return await this.find(stackId, id);
  }

  async list({ stackId, purpose, after, order, limit }: FileQuery): Promise<FilePage> {
    const newestFirst = [...this.#entries.values()]
      .flatMap(storedFile)
      .filter((file) => file.stackId === stackId && (purpose === undefined || file.purpose === purpose))
      .sort((one, other) => (position(one.id) < position(other.id) ? 1 : -1));
    const wanted = (order === 'newest' ? newestFirst : newestFirst.reverse()).filter(
      ({ id }) =>
        after === undefined ||
        (order === 'newest' ? position(id) < position(after) : position(id) > position(after)),
    );
    return { files: wanted.slice(0, limit), hasMore: wanted.length > limit };
  }

  async find(stackId: string, id: string): Promise<StoredFile | undefined> {
    return (await this.findAll(stackId, [id]))[0];
  }

  async findAll(stackId: string, ids: readonly string[]): Promise<readonly StoredFile[]> {
    return ids.flatMap((id) => {
      const entry = this.#find(stackId, id);
      return entry === undefined ? [] : storedFile(entry);
    });
  }

  async readBytes(stackId: string, id: string, _signal: AbortSignal): Promise<Uint8Array | undefined> {
    const bytes = this.#find(stackId, id)?.bytes;
    return bytes && Uint8Array.from(bytes);
  }

  async remove(stackId: string, id: string): Promise<boolean> {
    return this.#find(stackId, id) !== undefined && this.#entries.delete(id);
  }

  #find(stackId: string, id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    return entry?.file.stackId === stackId ? entry : undefined;
  }
}

function pendingFile({ file, expiresAt }: Entry): PendingFile {
  const { keepSeconds: _keepSeconds, ...rest } = file;
  return { ...rest, createdAt: createdAtOf(file.id) ?? new Date(0), expiresAt };
}

function storedFile(entry: Entry): readonly StoredFile[] {
  const { bytes } = entry;
  if (bytes === undefined) return [];
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return [{ ...pendingFile(entry), sizeBytes: bytes.byteLength, sha256 }];
}

function position(id: string): string {
  return `${String(createdAtOf(id)?.getTime()).padStart(16, '0')}${id}`;
}

function inSeconds(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}
