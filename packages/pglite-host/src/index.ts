export { createDatabaseFiles } from './create-database-files.ts';
export { DatabaseInUse } from './data-folder-lock.ts';
export {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './embedded-database.ts';
export type { EmbeddedDatabaseEvent, EmbeddedDatabaseLog } from './embedded-database-event.ts';
export { connectToRunningServer } from './running-server.ts';
