import { mkdirSync } from 'node:fs';
import { createClusterOnce, databaseFolder } from './cluster-creation.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';
import { isServed } from './running-server.ts';

/** Options of `createDatabaseFiles`. */
export interface DatabaseFilesOptions {
  readonly dataDir: string;
  readonly log: EmbeddedDatabaseLog;
}

/**
 * Creates the files of a database without opening it and returns their folder. Copy that folder into another data folder to get
 * a new database quickly. Throws DatabaseInUse if the database is open.
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
