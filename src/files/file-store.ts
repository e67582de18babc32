/** A file to be stored, before its bytes come. */
export interface NewFile {
  readonly id: string;
  readonly accountId: string;
  readonly stackId: string;
  readonly keyId: string;
  readonly name: string;
  /** The client's word for what it is for. */
  readonly purpose: string;
  /** The most bytes it may have. */
  readonly sizeBytes: number;
  /** How long it is kept once its bytes are there. */
  readonly keepSeconds: number;
}

/** A file whose bytes are still to come. */
export interface PendingFile extends Omit<NewFile, 'keepSeconds'> {
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A stored file, without its bytes; `sizeBytes` is its real size. */
export interface StoredFile extends PendingFile {
  /** In hex. */
  readonly sha256: string;
}

export interface FileQuery {
  readonly stackId: string;
  readonly purpose?: string;
  /** The file that the page follows; it need not be there any more. */
  readonly after?: string;
  readonly order: 'newest' | 'oldest';
  readonly limit: number;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  readonly hasMore: boolean;
}

/** How long a reserved id waits for its bytes. */
export const PENDING_SECONDS = 3_600;

/**
 * The files of all stacks, with their bytes, until they expire. Calls for a stack see that stack only. A reserved file counts for
 * the quota, and is gone after an hour unless its bytes come.
 */
export interface FileStore {
  reserve(file: NewFile): Promise<PendingFile>;
  findPending(stackId: string, id: string): Promise<PendingFile | undefined>;
  /**
   * Stores the bytes of a reserved file, once: undefined if it has or gets them already, or is not reserved. On return they are
   * durable; if it throws, nothing of them remains and the file is still reserved.
   */
  store(stackId: string, id: string, bytes: Uint8Array, signal: AbortSignal): Promise<StoredFile | undefined>;
  list(query: FileQuery): Promise<FilePage>;
  find(stackId: string, id: string): Promise<StoredFile | undefined>;
  /** Those of the ids that are stored files of the stack, in any order. */
  findAll(stackId: string, ids: readonly string[]): Promise<readonly StoredFile[]>;
  readBytes(stackId: string, id: string, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Removes a file, stored or reserved; false if the stack has no such file. */
  remove(stackId: string, id: string): Promise<boolean>;
}
