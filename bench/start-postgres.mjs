import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

/** A server of the benchmark's own, as the tests start one; undefined where there are no binaries for this machine. */
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
  // As it comes, with a disk that is waited for.
  const server = await startRealPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await vite.close();
  };
  return { url: await server.createDatabase(), close };
}
