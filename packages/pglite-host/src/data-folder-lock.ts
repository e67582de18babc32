import path from 'node:path';
import { takeProcessLock } from '@stackgate/process-lock';

const LOCK_NAME = 'database.lock';

/** Thrown if the database is already open, in another process or in this one. */
export class DatabaseInUse extends Error {
  constructor(dataDir: string, pid: number) {
    const where = pid === process.pid ? 'already by this process' : `by process ${pid}`;
    super(
      `The database in ${dataDir} is in use ${where}. Stop that process first, or choose another data folder.`,
    );
    this.name = 'DatabaseInUse';
  }
}

/** Options of `lockDataFolder`. */
export interface DataFolderLockOptions {
  readonly dataDir: string;
  /** Whether a process answers on the database socket; detects an owner in another container, whose process is not visible. */
  readonly isServed: () => Promise<boolean>;
}

/** Locks a data folder; returns the function that unlocks it. The lock is void once its process has ended. */
export async function lockDataFolder({ dataDir, isServed }: DataFolderLockOptions): Promise<() => void> {
  const lock = await takeProcessLock(path.join(dataDir, LOCK_NAME), isServed);
  if ('heldBy' in lock) throw new DatabaseInUse(dataDir, lock.heldBy.pid);
  return lock.release;
}
