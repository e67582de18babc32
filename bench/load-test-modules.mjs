import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

/** Modules of `testing/`, which are TypeScript, by their paths in it. They must not import anything later. */
export async function loadTestModules(...paths) {
  const vite = await createViteServer({
    configFile: false,
    root: fileURLToPath(new URL('../testing', import.meta.url)),
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
  });
  try {
    return await Promise.all(paths.map((path) => vite.ssrLoadModule(`/${path}`)));
  } finally {
    await vite.close();
  }
}
