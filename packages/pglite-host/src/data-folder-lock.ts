import path from 'node:path';
import { takeProcessLock } from '@stackgate/process-lock';

const LOCK_NAME = 'database.lock';

/** The database folder is open in another process, or twice in this one. */
export class DatabaseInUse extends Error {
  constructor(dataDir: string, pid: number) {
    const where = pid === process.pid ? 'already by this process' : `by process ${pid}`;
    super(
      `The database in ${dataDir} is in use ${where}. Stop that process first, or choose another data folder.`,
    );
    this.name = 'DatabaseInUse';
  }
}

/** What is needed to lock a data folder. */
export interface DataFolderLockOptions {
  readonly dataDir: string;
  /** Whether somebody serves the database; finds an owner in another container, whose process cannot be seen. */
  readonly isServed: () => Promise<boolean>;
}

/** A lock that survives kill -9: it is worth nothing once its process is gone. Calling it gives it back. */
export async function lockDataFolder({ dataDir, isServed }: DataFolderLockOptions): Promise<() => void> {
  const lock = await takeProcessLock(path.join(dataDir, LOCK_NAME), isServed);
  if ('heldBy' in lock) throw new DatabaseInUse(dataDir, lock.heldBy.pid);
  return lock.release;
}
