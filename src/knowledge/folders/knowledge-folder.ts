/** A file of a folder, as its listing shows it. */
export interface FolderFile {
  /** Within the folder, joined by slashes. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes with the content. */
  readonly mark: string;
  /** Whether it is still being written. */
  readonly isWaiting: boolean;
}

export interface FolderListing {
  readonly files: readonly FolderFile[];
  /** Paths inside that could not be looked at, with the reason: nothing is known of them and what is in them. */
  readonly unread: ReadonlyMap<string, string>;
  /** Whether there are more files than are listed. */
  readonly isCut: boolean;
}

/** A folder on the disk or in a bucket whose files are documents. */
export interface KnowledgeFolder {
  /** Throws if the folder cannot be read; then nothing is known of its files. */
  list(signal: AbortSignal): Promise<FolderListing>;
  /** Undefined if the file is gone or changed since it was listed. */
  read(file: FolderFile, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Calls back when something may have changed. Absent where changes are only seen by looking again. */
  watch?(changed: () => void): Disposable;
}
