import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

/** A PostgreSQL server for the benchmark, started like in tests; undefined if there are no binaries for this machine. */
export async function startPostgres() {
  const vite = await createViteServer({
    configFile: false,
    root: fileURLToPath(new URL('../testing/real-postgres', import.meta.url)),
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
  });
  const { realPostgresAvailable } = await vite.ssrLoadModule('/postgres-binaries.ts');
  if (!realPostgresAvailable) {
    await vite.close();
    return undefined;
  }
  const { startRealPostgres } = await vite.ssrLoadModule('/real-postgres.ts');
  // With default settings, including fsync.
  const server = await startRealPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await vite.close();
  };
  return { url: await server.createDatabase(), close };
}
