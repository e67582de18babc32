// Other gateways, installed from their registries into a cache outside of the repository. Unavailable ones are named and skipped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { measured } from './server-process.mjs';

const KEY = 'sk-bench';
const START_SECONDS = 180;
const cache = process.env.BENCH_CACHE ?? join(homedir(), '.cache', 'stackgate-bench');

const gateways = {
  'Portkey 1.15.2': {
    folder: 'portkey',
    file: 'node_modules/@portkey-ai/gateway/build/start-server.js',
    install: (folder) => npmInstall(folder, '@portkey-ai/gateway@1.15.2'),
    command: ({ file, port }) => [process.execPath, file, `--port=${port}`, '--headless'],
    headers: ({ url }) => ({
      authorization: `Bearer ${KEY}`,
      'x-api-key': KEY,
      'x-portkey-custom-host': `${url}/v1`,
    }),
    // The messages format goes to a server that speaks it; nothing is translated.
    formatHeaders: (format) => ({ 'x-portkey-provider': format === 'chat' ? 'openai' : 'anthropic' }),
    share: 0.5,
  },
  'claude-code-router 2.0.0': {
    folder: 'ccr',
    file: 'node_modules/@musistudio/claude-code-router/dist/cli.js',
    install: (folder) => npmInstall(folder, '@musistudio/claude-code-router@2.0.0'),
    prepare: async ({ work, port, upstream }) => {
      await mkdir(join(work, '.claude-code-router'));
      const provider = {
        name: 'bench',
        api_base_url: `${upstream.url}/v1/chat/completions`,
        api_key: 'none',
        models: ['bench'],
      };
      const config = {
        LOG: false,
        HOST: '127.0.0.1',
        PORT: port,
        APIKEY: KEY,
        NON_INTERACTIVE_MODE: true,
        Providers: [provider],
        Router: { default: 'bench,bench' },
      };
      await writeFile(join(work, '.claude-code-router', 'config.json'), JSON.stringify(config));
    },
    command: ({ file }) => [process.execPath, file, 'start'],
    headers: () => ({ authorization: `Bearer ${KEY}`, 'x-api-key': KEY }),
    share: 0.25,
  },
  LiteLLM: {
    folder: 'litellm',
    file: 'bin/litellm',
    install: async (folder) => {
      await finished(['python3', '-m', 'venv', folder]);
      await finished([join(folder, 'bin', 'pip'), 'install', '-q', 'litellm[proxy]']);
    },
    prepare: ({ work, upstream }) => {
      const parameters = { model: 'hosted_vllm/bench', api_base: `${upstream.url}/v1`, api_key: 'none' };
      const config = {
        model_list: [{ model_name: 'bench', litellm_params: parameters }],
        general_settings: { master_key: KEY },
      };
      return writeFile(join(work, 'config.yaml'), JSON.stringify(config));
    },
    command: ({ file, port }) => [
      file,
      ...['--config', 'config.yaml', '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    ],
    headers: () => ({ authorization: `Bearer ${KEY}` }),
    share: 0.02,
  },
};

/** Starts each of them in front of a model server. `BENCH_PEERS=none` skips them. */
export async function startOtherGateways(upstream) {
  if (process.env.BENCH_PEERS === 'none') return {};
  console.error('Bifrost: not available, its npm package fetches a program from elsewhere.');
  const peers = {};
  for (const [name, gateway] of Object.entries(gateways)) {
    try {
      peers[name] = await start(gateway, upstream);
    } catch (error) {
      console.error(`${name}: not available here (${error.message}).`);
    }
  }
  return peers;
}

async function start(gateway, upstream) {
  const folder = join(cache, gateway.folder);
  const file = join(folder, gateway.file);
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    await gateway.install(folder);
  }
  const port = await freePort();
  const work = await mkdtemp(join(tmpdir(), 'stackgate-peer-'));
  await gateway.prepare?.({ work, port, upstream });
  const [program, ...args] = gateway.command({ file, port });
  const { PATH } = process.env;
  const child = spawn(program, args, { cwd: work, env: { PATH, HOME: work }, stdio: 'ignore' });
  const server = measured(child, `http://127.0.0.1:${port}`);
  await answering(server, child);
  const { share, formatHeaders } = gateway;
  return { ...server, headers: gateway.headers(upstream), formatHeaders, share };
}

async function answering({ url, stop }, child) {
  for (let second = 0; second < START_SECONDS; second++) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await setTimeout(1_000);
  }
  await stop();
  throw new Error(`it does not answer within ${START_SECONDS} s`);
}

async function npmInstall(folder, name) {
  await writeFile(join(folder, 'package.json'), '{}');
  await finished(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', name], folder);
}

async function finished([program, ...args], cwd = tmpdir()) {
  const [code] = await once(spawn(program, args, { cwd, stdio: 'ignore' }), 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
