import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sendRequests } from './keep-alive-load.mjs';
import { startServer } from './server-process.mjs';
import { bestQuartile, markdownTable, median, medianInterval } from './statistics.mjs';
import { startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
const WARM_UP_ROUNDS = 30;
/** Blocks with and without the journal alternate, in one process: two processes differ by more than a journal costs. */
const BLOCKS = 24;
const QUICK_BLOCKS = 6;
const ROUNDS_PER_BLOCK = 8;
/** A journal begins a new file every 2 seconds, and only then notices whether it can. */
const NEW_FILE_MS = 2_600;
const AIM = 1.03;
const key = 'sk-bench-journal';
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 400 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 100 },
};

/** The same requests while the journal of usage can be written and while it cannot: CPU per request. */
export async function run({ quick }) {
  const upstream = await startUpstream();
  const gateway = await startGateway(upstream);
  try {
    const rows = [];
    for (const [title, request] of Object.entries(cases)) {
      rows.push([title, ...cells(await measure(gateway, request, quick ? QUICK_BLOCKS : BLOCKS))]);
    }
    console.log(
      `\nThe journal of usage: CPU per request, without it = 1; aim: at most ${AIM} for a small chat\n`,
    );
    console.log(markdownTable(['', 'without, µs', 'with: median (its 95 % interval)'], rows));
  } finally {
    await gateway.server.stop();
    await rm(gateway.folder, { recursive: true, force: true });
    await upstream.stop();
  }
}

async function startGateway(upstream) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  const engine = {
    kind: 'openai',
    base_url: `${upstream.url}/v1`,
    model: 'bench',
    context_window: 1_000_000,
  };
  const config = {
    data_dir: join(folder, 'data'),
    engines: { text: { bench: engine } },
    stacks: [{ id: 'bench', keys: [{ id: 'web', secret: key }] }],
  };
  await writeFile(join(folder, 'stackgate.yaml'), JSON.stringify(config));
  const server = await startServer(fileURLToPath(new URL('../dist/main.js', import.meta.url)), {
    cwd: folder,
    args: ['serve'],
    env: { STACKGATE_PORT: '0' },
  });
  return { server, folder };
}

async function measure({ server, folder }, request, blocks) {
  const { count } = request;
  const journal = join(folder, 'data', 'usage');
  const costs = [[], []];
  const makeRequest = requestMaker(request, { authorization: `Bearer ${key}` });
  const send = () => sendRequests(server.url, { makeRequest, count, connections: CONNECTIONS });
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await send();
  for (let block = 0; block < blocks; block++) {
    const isJournaled = block % 4 === 1 || block % 4 === 2;
    if (isJournaled) await mkdir(journal, { recursive: true });
    else await rm(journal, { recursive: true, force: true });
    await send();
    await sleep(NEW_FILE_MS);
    await send();
    for (let round = 0; round < ROUNDS_PER_BLOCK; round++) {
      const beforeUs = server.cpuUs();
      await send();
      costs[isJournaled ? 1 : 0].push((server.cpuUs() - beforeUs) / count);
    }
  }
  return costs;
}

function cells([without, journaled]) {
  const ratios = journaled.map((cost, round) => cost / without[round]);
  const { from, to } = medianInterval(ratios);
  return [
    bestQuartile(without).toFixed(0),
    `${median(ratios).toFixed(3)} (${from.toFixed(3)} to ${to.toFixed(3)})`,
  ];
}
