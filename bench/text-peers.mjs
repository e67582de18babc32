import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNginx } from './nginx-proxy.mjs';
import { startServer } from './server-process.mjs';

const scriptAt = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Starts a model server of fixed answers. */
export function startUpstream() {
  return startServer(scriptAt('./lean-upstream.mjs'));
}

/** Starts the proxies that the gateway is compared with; the first is the yardstick. */
export async function startProxies(upstream) {
  const clients = hasUndici() ? ['undici', 'node'] : ['node'];
  const names = { undici: 'node:http + undici', node: 'node:http + its own client' };
  const started = clients.map(async (client) => [
    names[client],
    await startServer(scriptAt('./bare-proxy.mjs'), { args: [upstream.url, client] }),
  ]);
  const nginx = await startNginx(upstream);
  return { ...Object.fromEntries(await Promise.all(started)), ...(nginx === undefined ? {} : { nginx }) };
}

/** undici is no dependency; where it is installed anywhere on the module path, it is measured. */
function hasUndici() {
  try {
    createRequire(import.meta.url).resolve('undici');
    return true;
  } catch {
    return false;
  }
}

/** Starts the gateway in front of model servers, with metrics and its log as they come. */
export async function startGateway(folder, upstreams) {
  const config = {
    engines: {
      text: {
        bench: {
          kind: 'openai',
          base_urls: upstreams.map(({ url }) => `${url}/v1`),
          model: 'bench',
          context_window: 1_000_000,
        },
      },
    },
  };
  await writeFile(join(folder, 'stackgate.yaml'), JSON.stringify(config));
  const profile = process.env.BENCH_PROFILE;
  const gateway = await startServer(scriptAt('../dist/main.js'), {
    cwd: folder,
    args: ['serve'],
    nodeArgs: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
    env: { STACKGATE_PORT: '0' },
  });
  return { ...gateway, key: (await readFile(join(folder, 'data', 'default-key'), 'utf8')).trim() };
}
