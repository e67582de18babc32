import { mkdirSync } from 'node:fs';
import { createClusterOnce, databaseFolder } from './cluster-creation.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';
import { isServed } from './running-server.ts';

/** Where the files are made. */
export interface DatabaseFilesOptions {
  readonly dataDir: string;
  readonly log: EmbeddedDatabaseLog;
}

/**
 * Makes the files of a database without opening it, and tells their folder: a copy of it, below another data folder, is a
 * new database in a moment. Throws DatabaseInUse where the database is open.
 */
export async function createDatabaseFiles({ dataDir, log }: DatabaseFilesOptions): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockDataFolder({ dataDir, isServed: () => isServed(dataDir) });
  try {
    await createClusterOnce(dataDir, log);
    return databaseFolder(dataDir);
  } finally {
    unlock();
  }
}
