import type { Caller } from '../access/caller.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import { Fault } from '../faults/fault.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { isFileId, newFileId } from './file-id.ts';
import type { FilePage, FileQuery, FileStore, PendingFile, StoredFile } from './file-store.ts';
import type { FileHolder, FileReading, FileReference, StackFile, StackFiles } from './stack-files.ts';

export interface FileServiceParts {
  readonly store: FileStore;
  readonly storage: Pick<StorageRoom, 'take' | 'requireDisk'>;
  /** The largest file. */
  readonly maxBytes: number;
  readonly retentionDays: number;
  readonly clock: WallClock;
}

/** A file as its client describes it. */
export interface FileDescription {
  readonly name: string;
  readonly purpose: string;
  /** How long it is kept at most; absent: as long as files are. */
  readonly keepSeconds?: number;
}

/** The most stored files that one request may name. */
const MAX_REFERENCES = 100;
const MAX_NAME_CHARACTERS = 255;
const DAY_SECONDS = 86_400;

/** Keeps the files of stacks, and reads them for requests that name them. */
export class FileService implements StackFiles {
  readonly maxBytes: number;
  readonly #parts: FileServiceParts;

  constructor(parts: FileServiceParts) {
    this.#parts = parts;
    this.maxBytes = parts.maxBytes;
  }

  /** When it resolves, the file is stored; if it rejects, nothing of it remains. */
  async add(
    caller: Caller,
    { bytes, ...described }: FileDescription & { readonly bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const { id, stackId } = await this.reserve(caller, { ...described, sizeBytes: bytes.byteLength });
    try {
      const stored = await this.#parts.store.store(stackId, id, bytes, signal);
      if (stored === undefined) throw new Error('a file was removed while it was stored');
      return stored;
    } catch (error) {
      // If this fails too, the reservation ends by itself.
      await this.#parts.store.remove(stackId, id).catch(() => {});
      throw error;
    }
  }

  /** Reserves an id and room for a file whose bytes come later. */
  async reserve(
    caller: Caller,
    { name, purpose, keepSeconds, sizeBytes }: FileDescription & { readonly sizeBytes: number },
  ): Promise<PendingFile> {
    const { store, storage, clock, retentionDays } = this.#parts;
    requireName(name);
    this.#requireSize(sizeBytes);
    const { stack, key } = caller;
    // The row itself holds the room from then on, for all replicas.
    using _room = await storage.take(caller, sizeBytes);
    return await store.reserve({
      id: newFileId(clock.nowMs()),
      accountId: stack.account,
      stackId: stack.id,
      keyId: key.id,
      name,
      purpose,
      sizeBytes,
      keepSeconds: Math.min(keepSeconds ?? Number.POSITIVE_INFINITY, retentionDays * DAY_SECONDS),
    });
  }

  /** Stores the bytes of a reserved file. */
  async upload(
    { stack }: Caller,
    { id, bytes }: { readonly id: string; readonly bytes: Uint8Array },
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const { store, storage } = this.#parts;
    const pending = await store.findPending(stack.id, id);
    if (pending === undefined) throw await this.#notPending(stack.id, id);
    this.#requireSize(bytes.byteLength, pending.sizeBytes);
    await storage.requireDisk(bytes.byteLength);
    const stored = await store.store(stack.id, id, bytes, signal);
    if (stored === undefined) throw alreadyUploaded();
    return stored;
  }

  list(query: FileQuery): Promise<FilePage> {
    return this.#parts.store.list(query);
  }

  async get({ stack }: Caller, id: string): Promise<StoredFile> {
    const file = await this.#parts.store.find(stack.id, id);
    if (file === undefined) throw notFound();
    return file;
  }

  /** A file with its bytes. */
  async content(caller: Caller, id: string, request: FileHolder): Promise<StackFile> {
    return await this.#load(await this.get(caller, id), request, notFound);
  }

  async remove({ stack }: Caller, id: string): Promise<void> {
    if (!(await this.#parts.store.remove(stack.id, id))) throw notFound();
  }

  async read(
    references: readonly FileReference[],
    { stackId, mostBytes, request }: FileReading,
  ): Promise<readonly StackFile[]> {
    const ids = new Set(references.map(({ id }) => id));
    const [first] = references;
    if (ids.size > MAX_REFERENCES) {
      throw new Fault('invalid-request', `At most ${MAX_REFERENCES} files can be named, got ${ids.size}.`, {
        ...(first && { param: first.param }),
      });
    }
    const found = await this.#parts.store.findAll(stackId, [...ids].filter(isFileId));
    const known = new Map(found.map((file) => [file.id, file]));
    const missing = references.find(({ id }) => !known.has(id));
    if (missing !== undefined) throw unknownFile(missing);
    requireFit(found, mostBytes);
    const loaded = new Map<string, StackFile>();
    for (const { id, param } of references) {
      const file = known.get(id);
      if (file === undefined || loaded.has(id)) continue;
      loaded.set(id, await this.#load(file, request, () => unknownFile({ id, param })));
    }
    return references.flatMap(({ id }) => loaded.get(id) ?? []);
  }

  async #load(
    { stackId, id, name, sizeBytes }: StoredFile,
    request: FileHolder,
    gone: () => Fault,
  ): Promise<StackFile> {
    request.holdMemory?.(sizeBytes);
    const bytes = await this.#parts.store.readBytes(stackId, id, request.signal);
    // Removed since its row was read.
    if (bytes === undefined) throw gone();
    return { id, name, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  }

  async #notPending(stackId: string, id: string): Promise<Fault> {
    return (await this.#parts.store.find(stackId, id)) === undefined ? notFound() : alreadyUploaded();
  }

  #requireSize(sizeBytes: number, mostBytes = this.maxBytes): void {
    if (sizeBytes === 0) throw new Fault('invalid-request', 'The file has no bytes.', { param: 'file' });
    if (sizeBytes <= mostBytes) return;
    throw new Fault('file-too-large', `The file has ${sizeBytes} bytes; at most ${mostBytes} are taken.`);
  }
}

function requireName(name: string): void {
  const isNamed = name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS && !/\p{C}/u.test(name);
  if (isNamed) return;
  const message = `The name of a file has 1 to ${MAX_NAME_CHARACTERS} characters that can be printed.`;
  throw new Fault('invalid-request', message, { param: 'file' });
}

function requireFit(files: readonly StoredFile[], mostBytes: number): void {
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (sizeBytes <= mostBytes) return;
  const message = `The files that this request names have ${sizeBytes} bytes together; at most ${mostBytes} are read.`;
  throw new Fault('file-too-large', message);
}

function notFound(): Fault {
  return new Fault('file-not-found', 'This stack has no such file, or has it no more.', { param: 'id' });
}

function alreadyUploaded(): Fault {
  return new Fault('file-already-uploaded', 'This file has its bytes already; they cannot be replaced.');
}

function unknownFile({ id, param }: FileReference): Fault {
  const message = `\`${param}\` must be the id of a file of this stack, got ${JSON.stringify(id.slice(0, 50))}.`;
  return new Fault('invalid-request', message, { param });
}
