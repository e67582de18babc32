import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openConnection, sendRequests } from './keep-alive-load.mjs';
import { bestQuartile, markdownTable, median, quantile } from './statistics.mjs';
import { STREAM_EVENTS } from './text-answers.mjs';
import { startGateway, startProxies, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const GATEWAY = 'Stackgate';
const CONNECTIONS = 32;
const WARM_UP_ROUNDS = 2;
const LATENCY_REQUESTS = 400;
const OPEN_STREAMS = [1, 100, 1_000];

const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 3_000 },
  'messages, small': { format: 'messages', answer: 'short', streams: false, count: 3_000 },
  'chat, stream in one go': { format: 'chat', answer: 'long', streams: true, count: 1_000 },
  'messages, stream in one go': { format: 'messages', answer: 'long', streams: true, count: 1_000 },
  'chat, stream event by event': { format: 'chat', answer: 'paced', streams: true, count: 96 },
  'messages, stream event by event': { format: 'messages', answer: 'paced', streams: true, count: 96 },
  'chat, 400 KB and 300 tools': { format: 'chat', answer: 'short', streams: false, large: true, count: 400 },
  'chat, 400 KB, streamed': { format: 'chat', answer: 'long', streams: true, large: true, count: 400 },
  'messages, 400 KB and 300 tools': {
    format: 'messages',
    answer: 'short',
    streams: false,
    large: true,
    count: 400,
  },
  'messages, 400 KB, streamed': {
    format: 'messages',
    answer: 'long',
    streams: true,
    large: true,
    count: 400,
  },
};

/** The same requests through bare proxies and through the gateway: CPU, latency and memory. */
export async function run({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    await measureWork(folder, quick);
    await measureMemory(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureWork(folder, quick) {
  const upstream = await startUpstream();
  // The first start creates the database and the key; it is not what is measured.
  await (await startGateway(folder, [upstream])).stop();
  const gateway = await startGateway(folder, [upstream]);
  const peers = { ...(await startProxies(upstream)), [GATEWAY]: gateway };
  const rows = [];
  for (const [name, request] of chosenCases()) {
    const costs = await costsOf(peers, requestMaker(request, gateway.key), {
      rounds: quick ? 5 : 8,
      count: quick ? Math.ceil(request.count / 3) : request.count,
    });
    rows.push([name, ...costCells(costs, request)]);
    console.log(rows.at(-1).join('   '));
  }
  console.log('\nCPU per request, the first proxy = 1: best quartile of the rounds (median in brackets)\n');
  const [yardstick, ...others] = Object.keys(peers);
  console.log(markdownTable(['', `${yardstick}, µs`, ...others, 'per event, µs'], rows));
  await tellLatency({ 'upstream alone': upstream, ...peers }, gateway.key, quick);
  await Promise.all([upstream, ...Object.values(peers)].map((server) => server.stop()));
}

/** `BENCH_CASE=messages` measures only the cases with that word. */
function chosenCases() {
  const wanted = process.env.BENCH_CASE ?? '';
  return Object.entries(cases).filter(([name]) => name.includes(wanted));
}

/** CPU time per request of each peer, round by round; the peers take turns within a round. */
async function costsOf(peers, makeRequest, { rounds, count }) {
  const costs = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    for (const [name, server] of Object.entries(peers)) {
      const beforeUs = server.cpuUs();
      const first = (round + WARM_UP_ROUNDS) * count;
      await sendRequests(server.url, {
        makeRequest: (index) => makeRequest(first + index),
        count,
        connections: CONNECTIONS,
      });
      if (round >= 0) costs[name].push((server.cpuUs() - beforeUs) / count);
    }
  }
  return costs;
}

function costCells(costs, { streams, large }) {
  const [yardstick, ...others] = Object.values(costs);
  const ratios = others.map((values) => values.map((value, round) => value / yardstick[round]));
  const perEvent = (values) => (bestQuartile(values) / STREAM_EVENTS).toFixed(1);
  return [
    bestQuartile(yardstick).toFixed(0),
    ...ratios.map((values) => `${bestQuartile(values).toFixed(2)} (${median(values).toFixed(2)})`),
    streams && !large ? `${perEvent(costs[GATEWAY])} (proxy ${perEvent(yardstick)})` : '–',
  ];
}

/** One request at a time: what a lonely client waits for. */
async function tellLatency(servers, key, quick) {
  const makeRequest = requestMaker(cases['chat, small'], key);
  const times = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let round = 0; round < (quick ? 2 : 6); round++) {
    for (const [name, { url }] of Object.entries(servers)) {
      times[name].push(
        ...(await sendRequests(url, { makeRequest, count: LATENCY_REQUESTS, connections: 1 })),
      );
    }
  }
  const [alone, ...others] = Object.entries(times);
  const added = (values, share) => (quantile(values, share) - quantile(alone[1], share)).toFixed(2);
  console.log('\nSmall chat, one connection: milliseconds added to the upstream alone\n');
  const rows = others.map(([name, values]) => [name, added(values, 0.5), added(values, 0.99)]);
  console.log(markdownTable(['', 'p50', 'p99'], rows));
}

async function measureMemory(folder) {
  // One model server is only given 512 connections.
  const upstreams = await Promise.all([startUpstream(), startUpstream()]);
  const gateway = await startGateway(folder, upstreams);
  const peers = { ...(await startProxies(upstreams[0])), [GATEWAY]: gateway };
  const makeRequest = requestMaker({ format: 'chat', answer: 'hold', streams: true }, gateway.key);
  const rows = [];
  for (const [name, server] of Object.entries(peers)) {
    const connections = [];
    const cells = [server.rssMb().toFixed(0)];
    for (const number of OPEN_STREAMS) {
      while (connections.length < number)
        connections.push(await openStream(server.url, makeRequest(connections.length)));
      cells.push(server.rssMb().toFixed(0));
    }
    for (const connection of connections) connection.close();
    rows.push([name, ...cells]);
  }
  console.log('\nMemory with open streams, MB RSS; the gateway with its database\n');
  console.log(markdownTable(['', 'none', ...OPEN_STREAMS.map(String)], rows));
  await Promise.all([...upstreams, ...Object.values(peers)].map((server) => server.stop()));
}

/** A stream that has begun and stays open until the connection is closed. */
async function openStream(url, request) {
  const connection = await openConnection(url);
  await new Promise((resolve, reject) => {
    connection.ask(request, { onFirstByte: resolve }).catch(reject);
  });
  return connection;
}
