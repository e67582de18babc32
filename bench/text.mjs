import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOtherGateways } from './gateway-peers.mjs';
import { openConnection, sendRequests } from './keep-alive-load.mjs';
import { bestQuartile, markdownTable, median, quantile } from './statistics.mjs';
import { startGateway, startProxies, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const GATEWAY = 'Stackgate';
const OTHER_BUILD = 'Stackgate, other build';
const CONNECTIONS = 64;
// Until Node has optimised the code, the first tens of thousands of requests cost up to twice as much.
const WARM_UP_ROUNDS = 3;
const ROUNDS = 12;
/** For gateways that cost dozens of times as much, which is clear after few rounds. */
const OTHERS = { warmUpRounds: 1, rounds: 4, maximumCount: 4_000 };
/** Quick mode detects a doubled cost, and ends in time. */
const QUICK_MAXIMUM_COUNT = 1_400;
const OPEN_STREAMS = [1, 100, 1_000];
/** The aims, in multiples of nginx; each case with an aim is plotted. */
const plotted = {
  'chat, small': { file: 'text-small.svg', title: 'A small chat request', aim: 2.5 },
  'chat, stream event by event': { file: 'text-events.svg', title: 'A chat streamed event by event', aim: 2 },
  'chat, 40 KB': { file: 'text-40-kb.svg', title: 'A chat of 40 KB', aim: 3.5 },
};
const NOT_OFFERED = '–';

const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 16_000 },
  'messages, small': { format: 'messages', answer: 'short', streams: false, count: 16_000 },
  'chat, small, streamed': { format: 'chat', answer: 'short', streams: true, count: 8_000 },
  'responses, small, streamed': { format: 'responses', answer: 'short', streams: true, count: 8_000 },
  'chat, stream event by event': { format: 'chat', answer: 'paced', streams: true, count: 192 },
  'messages, stream event by event': { format: 'messages', answer: 'paced', streams: true, count: 192 },
  'chat, stream in bursts of 8': { format: 'chat', answer: 'bursts', streams: true, count: 640 },
  'messages, stream in bursts of 8': { format: 'messages', answer: 'bursts', streams: true, count: 640 },
  'chat, stream in one go': { format: 'chat', answer: 'long', streams: true, count: 4_000 },
  'messages, stream in one go': { format: 'messages', answer: 'long', streams: true, count: 4_000 },
  'chat, 40 KB': { format: 'chat', answer: 'short', streams: false, size: '40 KB', count: 8_000 },
  'messages, 40 KB': { format: 'messages', answer: 'short', streams: false, size: '40 KB', count: 8_000 },
  'chat, 40 KB, streamed': { format: 'chat', answer: 'long', streams: true, size: '40 KB', count: 4_000 },
  'messages, 40 KB, streamed': {
    format: 'messages',
    answer: 'long',
    streams: true,
    size: '40 KB',
    count: 4_000,
  },
  'chat, 400 KB': { format: 'chat', answer: 'short', streams: false, size: '400 KB', count: 400 },
  'messages, 400 KB': { format: 'messages', answer: 'short', streams: false, size: '400 KB', count: 400 },
  'chat, 400 KB, streamed': { format: 'chat', answer: 'long', streams: true, size: '400 KB', count: 400 },
  'messages, 400 KB, streamed': {
    format: 'messages',
    answer: 'long',
    streams: true,
    size: '400 KB',
    count: 400,
  },
};

/** The same requests through plain proxies, other gateways and this one: CPU, latency and memory. */
export async function run({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    const plots = await measureWork(folder, quick);
    if (process.env.BENCH_CASE === undefined && !quick) await measureMemory(folder);
    return { plots };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureWork(folder, quick) {
  const upstream = await startUpstream();
  const peers = await startPeers(folder, [upstream], quick);
  const plots = [];
  const [yardstick, ...others] = Object.keys(peers);
  const rows = [];
  for (const [name, request] of chosenCases(quick)) {
    const costs = await costsOf(await takersOf(peers, request), request, quick);
    rows.push([name, ...costCells(costs, others)]);
    if (name in plotted && yardstick === 'nginx') plots.push(plotOf(plotted[name], costs));
    console.error(rows.at(-1).join('   '));
  }
  console.log(`\nCPU per request, ${yardstick} = 1: best quartile of the rounds (median in brackets)\n`);
  console.log(markdownTable(['', `${yardstick}, µs`, ...others], rows));
  if (process.env.BENCH_CASE === undefined && !quick)
    await tellLatency({ 'upstream alone': upstream, ...peers }, quick);
  await stopAll([upstream, ...Object.values(peers)]);
  return plots;
}

function plotOf({ file, title, aim }, costs) {
  const [yardstick] = Object.values(costs);
  const bars = Object.entries(costs).map(([label, values]) => ({
    label,
    value: bestQuartile(values.map((value, round) => value / yardstick[round])),
    ours: label === GATEWAY,
  }));
  return { file, title, unit: 'CPU per request, nginx as a plain proxy = 1', bars, aim };
}

/** Plain proxies, then other gateways, then this one; `BENCH_DIST` names another build of it to compare with. */
async function startPeers(folder, upstreams, quick = false) {
  const other = process.env.BENCH_DIST;
  const folders = [join(folder, 'this'), join(folder, 'other')];
  await Promise.all(folders.map((path) => mkdir(path, { recursive: true })));
  return {
    ...(await startProxies(upstreams[0])),
    ...(quick ? {} : await startOtherGateways(upstreams[0])),
    ...(other === undefined
      ? {}
      : { [OTHER_BUILD]: await startGateway(folders[1], upstreams, { dist: other }) }),
    [GATEWAY]: await startGateway(folders[0], upstreams),
  };
}

function stopAll(servers) {
  return Promise.all(servers.map((server) => server.stop()));
}

/** `BENCH_CASE='small|KB$'` measures matching cases only; quick mode those with an aim. */
function chosenCases(quick) {
  const usual = quick ? '^(chat|messages), (small|stream event by event|40 KB)$' : '';
  const wanted = new RegExp(process.env.BENCH_CASE ?? usual);
  return Object.entries(cases).filter(([name]) => wanted.test(name));
}

/** Additional headers of a peer. */
function headersOf({ headers, formatHeaders }, { format }) {
  return { ...headers, ...formatHeaders?.(format) };
}

/** The peers that support such a request. */
async function takersOf(peers, request) {
  const taken = await Promise.all(
    Object.entries(peers).map(async ([name, peer]) => {
      const ask = { makeRequest: requestMaker(request, headersOf(peer, request)), count: 1, connections: 1 };
      return (await succeeds(() => sendRequests(peer.url, ask))) ? [[name, peer]] : [];
    }),
  );
  return Object.fromEntries(taken.flat());
}

async function succeeds(ask) {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}

/** CPU time per request of each peer, round by round; the peers alternate within a round. */
async function costsOf(peers, request, quick) {
  const costs = Object.fromEntries(Object.keys(peers).map((name) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < (quick ? 2 : ROUNDS); round++) {
    for (const [name, server] of Object.entries(peers)) {
      const isOther = server.share !== undefined;
      if (isOther && (round < -OTHERS.warmUpRounds || round >= OTHERS.rounds)) continue;
      const most = isOther ? Math.min(request.count, OTHERS.maximumCount) * server.share : request.count;
      const count = Math.ceil(quick ? Math.min(most / 3, QUICK_MAXIMUM_COUNT) : most);
      const makeRequest = requestMaker(request, headersOf(server, request));
      const beforeUs = server.cpuUs();
      await sendRequests(server.url, { makeRequest, count, connections: CONNECTIONS });
      if (round >= 0) costs[name].push((server.cpuUs() - beforeUs) / count);
    }
  }
  return costs;
}

function costCells(costs, others) {
  const [yardstick] = Object.values(costs);
  const ratioCell = (values) => {
    if (values === undefined) return NOT_OFFERED;
    const ratios = values.map((value, round) => value / yardstick[round]);
    return `${bestQuartile(ratios).toFixed(1)} (${median(ratios).toFixed(1)})`;
  };
  return [bestQuartile(yardstick).toFixed(0), ...others.map((name) => ratioCell(costs[name]))];
}

/** Client latency: alone or among 64, for a whole answer or for the first byte of a stream. */
async function tellLatency(servers, quick) {
  const small = { format: 'chat', answer: 'short', streams: false };
  const waits = {
    'small, 1 connection': { request: small, connections: 1, count: 400 },
    [`small, ${CONNECTIONS} connections`]: { request: small, connections: CONNECTIONS, count: 2_000 },
    'first byte of a stream': {
      request: { ...small, answer: 'long', streams: true },
      connections: 1,
      count: 200,
      untilFirstByte: true,
    },
  };
  const columns = [];
  for (const wait of Object.values(waits)) columns.push(await addedMs(servers, wait, quick ? 2 : 6));
  const names = Object.keys(servers).slice(1);
  const rows = names.map((name) => [name, ...columns.flatMap((column) => column[name])]);
  const heads = Object.keys(waits).flatMap((name) => [`${name}: p50`, 'p99']);
  console.log('\nMilliseconds added to the upstream alone\n');
  console.log(markdownTable(['', ...heads], rows));
}

async function addedMs(servers, { request, connections, count, untilFirstByte = false }, rounds) {
  const times = Object.fromEntries(Object.keys(servers).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const { url, share = 1 } = server;
      const makeRequest = requestMaker(request, headersOf(server, request));
      const asked = { makeRequest, count: Math.ceil(count * share), connections, untilFirstByte };
      times[name].push(...(await sendRequests(url, asked).catch(() => [])));
    }
  }
  const [[, alone], ...others] = Object.entries(times);
  const added = (values, share) =>
    values.length === 0 ? NOT_OFFERED : (quantile(values, share) - quantile(alone, share)).toFixed(2);
  return Object.fromEntries(
    others.map(([name, values]) => [name, [added(values, 0.5), added(values, 0.99)]]),
  );
}

async function measureMemory(folder) {
  // A model server gets at most 512 connections.
  const upstreams = await Promise.all([startUpstream(), startUpstream()]);
  const request = { format: 'chat', answer: 'hold', streams: true };
  // Tested with a stream that ends, because held ones never would.
  const peers = await takersOf(await startPeers(folder, upstreams), { ...request, answer: 'long' });
  const rows = [];
  for (const [name, server] of Object.entries(peers)) {
    rows.push([name, ...(await memoryCells(server, requestMaker(request, headersOf(server, request))))]);
  }
  console.log('\nMemory with open streams, MB RSS; the gateway with its database\n');
  console.log(markdownTable(['', 'none', ...OPEN_STREAMS.map(String)], rows));
  await stopAll([...upstreams, ...Object.values(peers)]);
}

async function memoryCells(server, makeRequest) {
  const connections = [];
  const cells = [server.rssMb().toFixed(0)];
  try {
    for (const number of OPEN_STREAMS) {
      while (connections.length < number)
        connections.push(await openStream(server.url, makeRequest(connections.length)));
      cells.push(server.rssMb().toFixed(0));
    }
  } catch {
    while (cells.length <= OPEN_STREAMS.length) cells.push(NOT_OFFERED);
  }
  for (const connection of connections) connection.close();
  return cells;
}

/** A stream that has started and stays open until the connection is closed. */
async function openStream(url, request) {
  const connection = await openConnection(url);
  await new Promise((resolve, reject) => {
    connection.ask(request, { onFirstByte: resolve }).catch(reject);
    setTimeout(() => reject(new Error('the stream does not begin')), 10_000).unref();
  });
  return connection;
}
