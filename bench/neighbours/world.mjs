// One gateway with two independent stacks, and its servers.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyDatabase } from '../database-template.mjs';
import { startServer } from '../server-process.mjs';
import { startHelper } from './start-helper.mjs';

const gatewayScript = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const upstreamScript = fileURLToPath(new URL('./upstream-process.mjs', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
const FETCH_BOUND_MS = 300_000;
const STOP_BOUND_MS = 20_000;
const STORAGE_BYTES = 50_000_000;

/** Keys of the quiet tenant, of the noisy one, and the noisy one's for its knowledge. */
export const KEYS = {
  quiet: 'quiet-key-0123456789abcdef',
  noisy: 'noisy-key-0123456789abcdef',
  library: 'noisy-library-0123456789abcdef',
};

/** The model names used in chats. */
export const MODELS = { upstream: 'fake-model', embedded: 'smollm2-135m-instruct' };

/** Starts a gateway with engines of one kind in its own folder; `close` stops everything and removes it. */
export async function openWorld({ engines, models, hasStorageQuota }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-neighbours-'));
  const upstream = engines === 'upstream' ? startHelper(upstreamScript) : undefined;
  try {
    await copyDatabase(folder);
    for (const model of models)
      await cp(model, join(folder, 'data', 'models'), { recursive: true, preserveTimestamps: true });
    const { url } = (await upstream?.ask()) ?? {};
    await writeFile(join(folder, 'stackgate.yaml'), configuration({ url, hasStorageQuota }));
    const gateway = await startGateway(folder);
    return {
      gateway,
      templatesUpstream: async () => (await upstream?.ask('templates'))?.templates,
      close: async () => {
        await stopGateway(gateway);
        await upstream?.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await upstream?.stop();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startGateway(folder) {
  // Its own folder, so that nothing outlives the run.
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  return await startServer(gatewayScript, {
    cwd: folder,
    args: ['serve'],
    env: {
      STACKGATE_PORT: '0',
      STACKGATE_LOG_LEVEL: 'error',
      // No tools to fetch models with.
      PATH: '/nowhere',
      TMPDIR: temporary,
      // Like `npm start`.
      MALLOC_ARENA_MAX: '2',
    },
  });
}

/** An attack may have killed it; one that does not stop is killed. */
async function stopGateway(gateway) {
  if (!existsSync(`/proc/${gateway.pid}`)) return;
  const bound = setTimeout(() => process.kill(gateway.pid, 'SIGKILL'), STOP_BOUND_MS);
  await gateway.stop();
  clearTimeout(bound);
}

/** The folders of available models, and which of `text` and `ocr` there are. */
export async function fetchModels() {
  const { ModelStore } = await import('../../dist/catalogue/model-store.js');
  const wanted = [
    { kind: 'text', name: MODELS.embedded, dataDir: cache },
    { kind: 'ocr', name: 'pp-ocrv6-small', dataDir: join(cache, 'ocr-models') },
  ];
  const found = {};
  for (const { kind, name, dataDir } of wanted) {
    try {
      const store = new ModelStore({ dataDir, environment: process.env });
      await store.install(name, { signal: AbortSignal.timeout(FETCH_BOUND_MS) });
      found[kind] = join(dataDir, 'models');
    } catch (error) {
      console.log(`neighbours: without the ${kind} model: ${error.message}`);
    }
  }
  return found;
}

/** Whether this build supports a storage quota, by `config check`. */
export async function takesStorageQuota() {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-neighbours-'));
  const file = join(folder, 'stackgate.yaml');
  try {
    await writeFile(file, configuration({ hasStorageQuota: true }));
    execFileSync(process.execPath, [gatewayScript, 'config', 'check', '--config', file], { stdio: 'pipe' });
    return true;
  } catch (error) {
    if (`${error.stdout}${error.stderr}`.includes('storage_bytes')) return false;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configuration({ url, hasStorageQuota }) {
  const served =
    url === undefined
      ? 'text: { local: { kind: llama } }\n  image: { painter: { kind: diffusion } }'
      : `text: { gpu: { kind: openai, base_url: "${url}/v1", model: fake-model, context_window: 131072 } }
  image: { flux: { kind: openai-images, base_url: "${url}/v1", model: flux } }`;
  const quota = hasStorageQuota ? `limits: { storage_bytes: ${STORAGE_BYTES} }` : '';
  return `
engines:
  ${served}
stacks:
  - id: quiet
    account: quiet
    plan: max
    image_plan: true
    # Its own pace is not what is measured.
    limits: { images: { submissions_per_minute: 100000, in_flight: 20, rendering: 2 } }
    keys: [{ id: app, secret: ${KEYS.quiet} }]
  - id: noisy
    account: noisy
    plan: max
    image_plan: true
    ${quota}
    keys:
      - { id: app, secret: ${KEYS.noisy} }
      - { id: library, secret: ${KEYS.library}, retrieval: true, knowledge: write }
`;
}
