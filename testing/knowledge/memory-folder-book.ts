import type {
  FolderBook,
  FolderLease,
  FolderName,
  FolderReport,
} from '../../src/knowledge/folders/folder-book.ts';

/** An in-memory book of folders for tests, of one process. */
export class MemoryFolderBook implements FolderBook {
  readonly reports: FolderReport[] = [];
  /** Whether another process has all leases. */
  isTaken = false;

  async take(folder: FolderName): Promise<FolderLease | undefined> {
    return this.isTaken ? undefined : { ...folder, holder: 'test' };
  }

  async renew(): Promise<void> {}

  async finish(_lease: FolderLease, report: FolderReport): Promise<void> {
    this.reports.push(report);
  }

  async release(): Promise<void> {}

  async keepOnly(): Promise<void> {}
}
