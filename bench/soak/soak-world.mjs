// A gateway with every endpoint in use, in front of servers that fail on command.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFakeUpstream } from '../../testing/fake-upstream/fake-upstream.mjs';
import { copyDatabase } from '../database-template.mjs';
import { startServer } from '../server-process.mjs';

const gatewayScript = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const KEY = 'soak-key-0123456789abcdef';

/** Starts the gateway and its servers in a folder that may be prepared; `close` stops them and removes their files. */
export async function openWorld(prepareFolder) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-soak-'));
  await copyDatabase(folder);
  await prepareFolder?.(folder);
  const upstream = await startFakeUpstream({ model: 'fake-model' });
  await writeFile(join(folder, 'stackgate.yaml'), configuration(upstream.url));
  // Its own folder, so that leftovers in it are this gateway's.
  const systemTemporary = join(folder, 'tmp');
  await mkdir(systemTemporary);
  const gateway = await startServer(gatewayScript, {
    cwd: folder,
    args: ['serve'],
    env: {
      STACKGATE_LOG_LEVEL: 'warn',
      STACKGATE_PORT: '0',
      // No tools to fetch models with: what needs one is answered 503.
      PATH: '/nowhere',
      TMPDIR: systemTemporary,
      // Like `npm start`.
      MALLOC_ARENA_MAX: '2',
    },
  });
  return {
    upstream,
    gateway,
    key: KEY,
    dataFolder: join(folder, 'data'),
    temporaryFolders: [join(folder, 'data', 'tmp'), systemTemporary],
    close: async () => {
      await gateway.stop();
      await upstream.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configuration(upstreamUrl) {
  return `
engines:
  text:
    gpu: { kind: openai, base_url: ${upstreamUrl}/v1, model: fake-model, context_window: 131072, timeout_seconds: 4 }
  image:
    flux: { kind: openai-images, base_url: ${upstreamUrl}/v1, model: flux, timeout_seconds: 4 }
  # A page whose helper was killed may hang; it is a 400 then.
  pdf: { kind: chromium, timeout_seconds: 15 }
stacks:
  - id: soak
    account: soak
    plan: max
    image_plan: true
    limits: { images: { submissions_per_minute: 100000, in_flight: 6, rendering: 2 } }
    keys:
      - { id: app, secret: ${KEY}, prompt: "a fox", retrieval: true, knowledge: write }
`;
}
