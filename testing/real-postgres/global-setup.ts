import type { TestProject } from 'vitest/node';
import { noPostgresMessage, realPostgresAvailable } from './postgres-binaries.ts';
import { startRealPostgres } from './real-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser address of the run's PostgreSQL; undefined if none can run. */
    postgresUrl: string | undefined;
  }
}

/** Vitest's global set-up: one PostgreSQL for all test files of the run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!realPostgresAvailable) {
    console.warn(`tests with a real PostgreSQL are ${noPostgresMessage}`);
    project.provide('postgresUrl', undefined);
    return undefined;
  }
  const server = await startRealPostgres();
  project.provide('postgresUrl', server.url);
  return async () => await server[Symbol.asyncDispose]();
}
