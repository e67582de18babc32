import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendRequests } from './keep-alive-load.mjs';
import { startServer } from './server-process.mjs';
import { bestQuartile, markdownTable, median, medianInterval } from './statistics.mjs';
import { startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
const WARM_UP_ROUNDS = 30;
const ROUNDS = 200;
const QUICK_ROUNDS = 16;
const AIM = 1.03;
const key = 'sk-bench-journal';
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 400 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 100 },
};

/** The same requests on two gateways, one of which cannot write its journal of usage: CPU per request. */
export async function run({ quick }) {
  const upstream = await startUpstream();
  const gateways = [];
  try {
    const without = await startGateway(upstream);
    gateways.push(without);
    // Without its folder the journal cannot be opened, and nothing is appended.
    await rm(join(without.folder, 'data', 'usage'), { recursive: true, force: true });
    const journaled = await startGateway(upstream);
    gateways.push(journaled);
    const rows = [];
    for (const [title, request] of Object.entries(cases)) {
      const costs = await measure([without, journaled], request, quick ? QUICK_ROUNDS : ROUNDS);
      rows.push([title, ...cells(costs)]);
    }
    console.log(
      `\nThe journal of usage: CPU per request, without it = 1; aim: at most ${AIM} for a small chat\n`,
    );
    console.log(markdownTable(['', 'without, µs', 'with: median (its 95 % interval)'], rows));
  } finally {
    for (const { server, folder } of gateways) {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
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

/** The gateways take turns within a round. */
async function measure(gateways, request, rounds) {
  const { count } = request;
  const costs = gateways.map(() => []);
  const makeRequest = requestMaker(request, { authorization: `Bearer ${key}` });
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const { server } = gateways[place];
      const beforeUs = server.cpuUs();
      await sendRequests(server.url, { makeRequest, count, connections: CONNECTIONS });
      if (round >= 0) costs[place].push((server.cpuUs() - beforeUs) / count);
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
