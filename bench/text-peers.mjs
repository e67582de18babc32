import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { copyDatabase } from './database-template.mjs';
import { startNginx } from './nginx-proxy.mjs';
import { startServer } from './server-process.mjs';

const SETTLE_STEP_MS = 500;
const SETTLED_SHARE = 0.02;
const MAXIMUM_SETTLE_STEPS = 60;

const scriptAt = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Starts a model server with fixed answers. */
export function startUpstream() {
  return startServer(scriptAt('./lean-upstream.mjs'));
}

/** Starts the plain proxies for comparison; the first is the baseline. */
export async function startProxies(upstream) {
  const nginx = await startNginx(upstream);
  if (nginx === undefined) console.log('nginx is not installed: Node’s proxy is the yardstick.\n');
  const node = await startServer(scriptAt('./bare-proxy.mjs'), { args: [upstream.url] });
  return { ...(nginx === undefined ? {} : { nginx }), 'node:http proxy': node };
}

/**
 * Starts the gateway in front of model servers, with default metrics and log. `dist` is another build to compare with; an
 * `environment` with `DATABASE_URL` takes the place of the embedded database; `sections` are added to the configuration,
 * `nodeArgs` to those of Node.
 */
export async function startGateway(
  folder,
  upstreams,
  { dist = scriptAt('../dist'), environment = {}, sections = {}, nodeArgs = [] } = {},
) {
  const config = {
    ...sections,
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
  if (environment.DATABASE_URL === undefined) await copyDatabase(folder);
  const profile = process.env.BENCH_PROFILE;
  const start = () =>
    startServer(join(dist, 'main.js'), {
      cwd: folder,
      args: ['serve'],
      nodeArgs: [
        ...nodeArgs,
        ...(process.env.BENCH_NODE_ARGS?.split(' ') ?? []),
        ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]),
      ],
      env: { STACKGATE_PORT: '0', ...environment },
    });
  // The first start creates the database and the key and is not measured.
  await (await start()).stop();
  const gateway = await start();
  await settle(gateway);
  const key = (await readFile(join(folder, 'data', 'default-key'), 'utf8')).trim();
  return { ...gateway, headers: { authorization: `Bearer ${key}` } };
}

/** Waits until a new process has finished its background work, such as unpacking. */
async function settle(server) {
  for (let step = 0; step < MAXIMUM_SETTLE_STEPS; step++) {
    const beforeUs = server.cpuUs();
    await setTimeout(SETTLE_STEP_MS);
    if (server.cpuUs() - beforeUs < SETTLED_SHARE * SETTLE_STEP_MS * 1_000) return;
  }
}
