import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../testing/certificates.mjs';
import { openConnections, sendOver } from './keep-alive-load.mjs';
import { markdownTable, meanOfStrata, median } from './statistics.mjs';
import { startGateway, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
/** The requests, with the number of one round, and of those before the first. */
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 500, warmUp: 50_000 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 120, warmUp: 8_000 },
};
/** The case with aims. */
const BOUNDED = 'chat, small';
const WARM_UP_STEP = 2_000;
/** After a switch, so that what Node compiles anew for it is not measured. */
const SETTLE = 4_000;
const SAMPLE_RATIO = 0.1;
/** The parts to switch on and off in a process, with those that are off in both states, and the aim. */
const parts = {
  journal: { title: 'The journal of usage', others: ['traces'], aim: 1.03 },
  traces: { title: `Traces of ${SAMPLE_RATIO * 100} %`, others: [], aim: 1.05 },
};
const HANDSHAKES = 200;
/** Blocks are of four rounds; `pairs` is how often two processes are started. */
const FULL = { pairs: 2, blocks: 45, tlsPairs: 3, tlsBlocks: 24 };
const QUICK = { pairs: 1, blocks: 6, tlsPairs: 1, tlsBlocks: 6 };
/** One process begins and ends a block, so that a drift of the machine hits both alike; the next block begins with the other. */
const ORDERS = [
  [0, 1, 1, 0],
  [1, 0, 0, 1],
];
const SWITCH_STEP_MS = 5;

/**
 * The costs of the journal of usage, of traces sent by OTLP, and of TLS, per request. Two processes take turns, and all that
 * each does from the beginning to the end of a block counts, also what is written and sent later.
 */
export async function run({ quick }) {
  const extent = quick ? QUICK : FULL;
  const upstream = await startUpstream();
  const collector = await startCollector();
  const surroundings = { upstream, collector };
  try {
    const chosen = Object.keys(parts).filter(wants);
    if (chosen.length > 0) tellSwitched(await compareSwitched(surroundings, chosen, extent));
    if (collector.bytes() === 0 && chosen.includes('traces')) throw new Error('no traces were sent');
    if (wants('tls')) tellTls(await compareTls(surroundings, extent));
  } finally {
    collector.stop();
    await upstream.stop();
  }
}

/** `BENCH_CASE='journal|tls'` measures matching parts only. */
function wants(name) {
  return new RegExp(process.env.BENCH_CASE ?? '').test(name);
}

/** Takes what is sent to it, in this process, which is not measured. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk) => {
      if (request.url === '/v1/traces') bytes += chunk.length;
    });
    request.on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    bytes: () => bytes,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts gateways, one after the other, that differ in their configuration alone. */
async function withGateways(names, { upstream, collector }, use) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  const { certificate, key } = makeCertificate();
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.certificate, certificate);
  await writeFile(files.key, key, { mode: 0o600 });
  const variants = {
    plain: {},
    traced: { telemetry: { otlp_endpoint: collector.url, sample_ratio: SAMPLE_RATIO } },
    secured: { server: { tls: files } },
  };
  const nodeArgs = ['--import', fileURLToPath(new URL('./switched-parts.mjs', import.meta.url))];
  const gateways = [];
  try {
    for (const [index, name] of names.entries()) {
      const own = join(folder, String(index));
      await mkdir(own);
      const switches = join(own, 'switches');
      // Without programs that could fetch models in the background.
      const environment = { PATH: '/nowhere', SWITCHES_FILE: switches };
      const options = { sections: variants[name], environment, nodeArgs };
      gateways.push({ ...(await startGateway(own, [upstream], options)), name, switches });
    }
    return await use(gateways);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Switches off these parts of a gateway, and on all others. */
async function switchOff(off, { pid, switches }) {
  await writeFile(switches, JSON.stringify(off));
  process.kill(pid, 'SIGUSR2');
  while (existsSync(switches)) await sleep(SWITCH_STEP_MS);
}

/**
 * Two processes of the same configuration, of which one has the part switched off; after half of the blocks it is the other one,
 * so that what tells the processes apart is in both halves, once each way.
 */
async function compareSwitched(surroundings, chosen, { pairs, blocks }) {
  const found = Object.fromEntries(chosen.map((part) => [part, { strata: [], withoutUs: [] }]));
  for (let pair = 0; pair < pairs; pair++) {
    await withGateways(['traced', 'traced'], surroundings, async (gateways) => {
      const loads = await warmLoads(gateways, cases[BOUNDED]);
      for (const part of chosen) {
        for (const half of [0, 1]) {
          const [without, having] = half === pair % 2 ? [0, 1] : [1, 0];
          const { others } = parts[part];
          await switchOff([...others, part], gateways[without]);
          await switchOff(others, gateways[having]);
          for (const load of loads) await load.send(SETTLE);
          const costs = await costsOf([loads[without], loads[having]], { ...cases[BOUNDED], blocks });
          found[part].strata.push(costs.logRatios);
          found[part].withoutUs.push(...costs.withoutUs);
        }
      }
      for (const load of loads) load.close();
    });
  }
  return found;
}

/** Two processes with and without TLS; which one is started first changes. */
async function compareTls(surroundings, { tlsPairs, tlsBlocks }) {
  const requests = Object.fromEntries(
    Object.keys(cases).map((title) => [title, { strata: [], withoutUs: [] }]),
  );
  const connections = { plain: [], secured: [] };
  for (let pair = 0; pair < tlsPairs; pair++) {
    const names = pair % 2 === 0 ? ['plain', 'secured'] : ['secured', 'plain'];
    await withGateways(names, surroundings, async (started) => {
      const gateways = ['plain', 'secured'].map((name) => started.find((gateway) => gateway.name === name));
      for (const [title, request] of Object.entries(cases)) {
        const loads = await warmLoads(gateways, request);
        const costs = await costsOf(loads, { ...request, blocks: tlsBlocks });
        requests[title].strata.push(costs.logRatios);
        requests[title].withoutUs.push(...costs.withoutUs);
        for (const load of loads) load.close();
      }
      for (const gateway of gateways) connections[gateway.name].push(await connectionUs(gateway));
    });
  }
  return { requests, connections };
}

/** Connections that stay open. Node compiles for tens of thousands of requests; the gateways take turns, so that no connection is idle for long. */
async function warmLoads(gateways, request) {
  const loads = [];
  for (const gateway of gateways) loads.push(await openLoad(gateway, request));
  for (let sent = 0; sent < request.warmUp; sent += WARM_UP_STEP)
    for (const load of loads) await load.send(Math.min(WARM_UP_STEP, request.warmUp - sent));
  return loads;
}

async function openLoad({ url, headers, cpuUs }, request) {
  const connections = await openConnections(url, CONNECTIONS);
  const makeRequest = requestMaker(request, headers);
  const send = (count) => sendOver(connections, { makeRequest, count });
  // Connections that wait for their first request for long are served by Node's server, at twice the cost.
  await send(CONNECTIONS);
  return {
    cpuUs,
    send,
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}

/** For each block, the logarithm of the second load's CPU time over the first one's, and the first one's per request. */
async function costsOf(loads, { count, blocks }) {
  const logRatios = [];
  const withoutUs = [];
  for (let block = 0; block < blocks; block++) {
    const beforeUs = loads.map((load) => load.cpuUs());
    const order = ORDERS[block % ORDERS.length];
    for (const index of order) await loads[index].send(count);
    const [without, having] = loads.map((load, index) => load.cpuUs() - beforeUs[index]);
    logRatios.push(Math.log(having / without));
    withoutUs.push((2 * without) / (order.length * count));
  }
  return { logRatios, withoutUs };
}

async function connectionUs({ url, cpuUs }) {
  const beforeUs = cpuUs();
  for (let count = 0; count < HANDSHAKES; count++) (await openConnections(url, 1))[0].close();
  return (cpuUs() - beforeUs) / HANDSHAKES;
}

function tellSwitched(found) {
  console.log(
    'CPU of two processes that take turns, without = 1, for a small chat: the mean of all blocks of four',
  );
  console.log(
    'rounds, its 95 % interval, and the mean of each half, in which the part is in the one process or the other\n',
  );
  const rows = Object.entries(found).map(([part, costs]) => {
    const { title, aim } = parts[part];
    return [title, ...costCells(costs), meansOf(costs), `at most ${aim}: ${verdict(costs, aim)}`];
  });
  console.log(markdownTable(['', 'without, µs', 'with', 'halves', 'aim'], rows));
}

function verdict({ strata }, aim) {
  const { mean, from, to } = meanOfStrata(strata);
  if (Math.exp(to) <= aim) return 'met';
  if (Math.exp(from) > aim) return 'missed';
  return Math.exp(mean) <= aim
    ? 'met by the mean, not by all of the interval'
    : 'missed by the mean, not by all of the interval';
}

function tellTls({ requests, connections }) {
  console.log(
    '\nTLS, connections kept: CPU of two processes that take turns, without = 1; the mean of all blocks, its 95 %',
  );
  console.log('interval over blocks, and the means of each pair of processes\n');
  const rows = Object.entries(requests).map(([title, costs]) => [title, ...costCells(costs), meansOf(costs)]);
  console.log(markdownTable(['', 'without, µs', 'with', 'pairs'], rows));
  const [open, secured] = [connections.plain, connections.secured].map((costs) => median(costs).toFixed(0));
  console.log(`\nA new connection costs ${open} µs, one with a TLS handshake ${secured} µs.`);
}

/** Where they lie further apart than the interval, a process or a time was unlike the others. */
function meansOf({ strata }) {
  return strata.map((stratum) => ratio(meanOfStrata([stratum]).mean)).join(', ');
}

function costCells({ strata, withoutUs }) {
  const { mean, from, to } = meanOfStrata(strata);
  return [median(withoutUs).toFixed(0), `${ratio(mean)} (${ratio(from)} to ${ratio(to)})`];
}

function ratio(logarithm) {
  return Math.exp(logarithm).toFixed(3);
}
