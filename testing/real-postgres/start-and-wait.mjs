// A process for tests to kill: starts a PostgreSQL, sends its address and process id, and waits.
import { createViteServer } from 'vitest/node';

process.on('disconnect', () => process.exit());
const vite = await createViteServer({
  configFile: false,
  root: import.meta.dirname,
  appType: 'custom',
  logLevel: 'silent',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false, watch: null },
});
const { startRealPostgres } = await vite.ssrLoadModule('/real-postgres.ts');
const { url, pid } = await startRealPostgres();
process.send({ url, pid });
