import { loadTestModules } from './load-test-modules.mjs';

/** A PostgreSQL server for the benchmark, started like in tests; undefined if there are no binaries for this machine. */
export async function startPostgres() {
  const [{ realPostgresAvailable }, { startRealPostgres }] = await loadTestModules(
    'real-postgres/postgres-binaries.ts',
    'real-postgres/real-postgres.ts',
  );
  if (!realPostgresAvailable) return undefined;
  // With default settings, including fsync.
  const server = await startRealPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' });
  return {
    url: await server.createDatabase(),
    stop: (mode) => server.stop(mode),
    start: () => server.start(),
    close: () => server[Symbol.asyncDispose](),
  };
}
