import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sendRequests } from './keep-alive-load.mjs';
import { startServer } from './server-process.mjs';
import { startPostgres } from './start-postgres.mjs';
import { bestQuartile, markdownTable, median, medianInterval } from './statistics.mjs';
import { startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
/** Until Node has optimised the code. */
const WARM_UP_ROUNDS = 50;
/** Many and short, so that a slow second of the machine affects both. */
const ROUNDS = 300;
const QUICK_ROUNDS = 16;
const HUGE = 1_000_000_000;
const AIM = 1.05;
const free = 'sk-bench-without-limits';
const limited = 'sk-bench-with-limits';
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 400 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 100 },
};

/** The same requests with an unlimited key and with one that has all limits, in one process: CPU and database queries. */
export async function run({ quick }) {
  await measureOn('embedded database', undefined, quick);
  const postgres = quick ? undefined : await startPostgres();
  if (postgres === undefined) return;
  try {
    await measureOn('PostgreSQL, shared by replicas', postgres.url, quick);
  } finally {
    await postgres.close();
  }
}

async function measureOn(name, databaseUrl, quick) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  const upstream = await startUpstream();
  try {
    await writeFile(join(folder, 'stackgate.yaml'), JSON.stringify(configFor(upstream, databaseUrl)));
    const gateway = await startServer(fileURLToPath(new URL('../dist/main.js', import.meta.url)), {
      cwd: folder,
      args: ['serve'],
      env: { STACKGATE_PORT: '0' },
    });
    const rows = [];
    for (const [title, request] of Object.entries(cases)) {
      const rounds = quick ? QUICK_ROUNDS : ROUNDS;
      rows.push([title, ...cells(await measure(gateway, request, rounds), request.count)]);
    }
    await gateway.stop();
    console.log(`\nLimits, ${name}: CPU per request, without limits = 1; aim: at most ${AIM}\n`);
    const heads = ['', 'without, µs', 'with limits: median (its 95 % interval)'];
    console.log(markdownTable([...heads, 'database uses per 1,000 requests: without', 'with'], rows));
  } finally {
    await upstream.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function configFor(upstream, databaseUrl) {
  const ceilings = { requests_per_minute: HUGE, concurrent_requests: 1_000 };
  return {
    ...(databaseUrl === undefined ? {} : { database: { url: databaseUrl } }),
    engines: {
      text: {
        bench: { kind: 'openai', base_url: `${upstream.url}/v1`, model: 'bench', context_window: 1_000_000 },
      },
    },
    stacks: [
      { id: 'free', keys: [{ id: 'web', secret: free }] },
      {
        id: 'limited',
        limits: { tokens_per_day: HUGE, ...ceilings },
        keys: [{ id: 'web', secret: limited, limits: ceilings }],
      },
    ],
  };
}

/** The keys alternate within a round. */
async function measure(gateway, request, rounds) {
  const { count } = request;
  const costs = { [free]: [], [limited]: [] };
  const uses = { [free]: 0, [limited]: 0 };
  const maker = (key) => requestMaker(request, { authorization: `Bearer ${key}` });
  const makers = { [free]: maker(free), [limited]: maker(limited) };
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const key of round % 2 === 0 ? [free, limited] : [limited, free]) {
      const usesBefore = await databaseUses(gateway.url);
      const beforeUs = gateway.cpuUs();
      await sendRequests(gateway.url, { makeRequest: makers[key], count, connections: CONNECTIONS });
      if (round < 0) continue;
      costs[key].push((gateway.cpuUs() - beforeUs) / count);
      uses[key] += (await databaseUses(gateway.url)) - usesBefore;
    }
  }
  return { costs, uses, rounds };
}

function cells({ costs, uses, rounds }, count) {
  const ratios = costs[limited].map((cost, round) => cost / costs[free][round]);
  const { from, to } = medianInterval(ratios);
  const perThousand = (key) => ((1000 * uses[key]) / (rounds * count)).toFixed(1);
  return [
    bestQuartile(costs[free]).toFixed(0),
    `${median(ratios).toFixed(2)} (${from.toFixed(2)} to ${to.toFixed(2)})`,
    perThousand(free),
    perThousand(limited),
  ];
}

/** Database queries so far: keys, usage and limits together. */
async function databaseUses(url) {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^stackgate_database_uses_total (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}
