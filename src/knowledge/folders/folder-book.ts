/** Names a folder of a stack by its entry in the configuration. */
export interface FolderName {
  readonly stackId: string;
  readonly source: string;
}

/** The right to look through a folder, which one process has at a time. */
export interface FolderLease extends FolderName {
  readonly holder: string;
}

/** How a folder was found. */
export interface FolderReport {
  readonly files: number;
  /** Files that are still being written. */
  readonly waiting: number;
  /** Why the folder, or files that no document stands for, could not be taken. */
  readonly problem: string | undefined;
}

/** Another process took the folder over, because this one did not renew its lease in time. */
export class FolderTakenOver extends Error {
  override readonly name = 'FolderTakenOver';
  override readonly message = 'another process took the folder over';
}

/** Which process looks through which folder, and what it found; shared by all replicas. */
export interface FolderBook {
  /**
   * Undefined while another process has the lease. With `unlessWithinMs` also if any process finished looking through the folder
   * within this time.
   */
  take(folder: FolderName, ask: { readonly unlessWithinMs: number }): Promise<FolderLease | undefined>;
  /** Throws FolderTakenOver if the lease was lost. */
  renew(lease: FolderLease): Promise<void>;
  /** Records what was found and ends the lease. */
  finish(lease: FolderLease, report: FolderReport): Promise<void>;
  /** Ends the lease as if it had not been taken. */
  release(lease: FolderLease): Promise<void>;
  /** Forgets all other folders. */
  keepOnly(folders: readonly FolderName[]): Promise<void>;
}
