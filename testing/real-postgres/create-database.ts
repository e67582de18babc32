import { inject } from 'vitest';
import { createEmptyDatabase } from './empty-database.ts';
import { noPostgresMessage, realPostgresAvailable } from './postgres-binaries.ts';

const noSetupMessage =
  'testing/real-postgres/global-setup.ts is missing from globalSetup in vitest.config.ts';

/** The address of a new, empty database on the run's shared server, which ends with the run. */
export async function createDatabase(): Promise<string> {
  const url = inject('postgresUrl');
  if (url === undefined) throw new Error(realPostgresAvailable ? noSetupMessage : noPostgresMessage);
  return await createEmptyDatabase(url);
}
