import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeCertificate } from '../testing/certificates.mjs';
import { openConnections, sendOver } from './keep-alive-load.mjs';
import { descendantsOf } from './process-tree.mjs';
import { markdownTable, meanOfStrata, median, medianOfGroups, middleOf } from './statistics.mjs';
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
const SAMPLE_RATIO = 0.1;
/**
 * The parts to switch on and off in a process, with those that are off in both states, and the aim. That nothing is switched must
 * not show: it tells what the other figures are worth.
 */
const parts = {
  nothing: { title: 'Nothing, to check the method', others: ['traces'] },
  journal: { title: 'The journal of usage', others: ['traces'], aim: 1.03 },
  traces: { title: `Traces of ${SAMPLE_RATIO * 100} %`, others: [], aim: 1.05 },
};
/** Requests between two switches, some hundredths of a second: the speed of a machine that others share changes within tenths. */
const SWITCHED_COUNT = 320;
/** Of a round; in half of them the part is on. Fewer spans than are sent at once. */
const SWITCHED_TURNS = 40;
/** Before a round, without the part; not counted. */
const LEAD_IN = 2;
/** Of each part, tens of thousands of requests in all, for which Node compiles. */
const WARM_UP_ROUNDS = 3;
const HANDSHAKES = 200;
/** Of `processes` each measures every part in so many rounds; blocks are of four turns of two processes. */
const FULL = { processes: 4, rounds: 32, tlsPairs: 3, tlsBlocks: 24 };
const QUICK = { processes: 1, rounds: 6, tlsPairs: 1, tlsBlocks: 6 };
/** One process begins and ends a block, so that a drift of the machine hits both alike; the next block begins with the other. */
const ORDERS = [
  [0, 1, 1, 0],
  [1, 0, 0, 1],
];
const REPORT_STEP_MS = 2;
/** Switching nothing may seem to cost this. */
const SOUND = 1.01;
const ALL_CORES = `0-${availableParallelism() - 1}`;

/**
 * The costs of the journal of usage, of traces sent by OTLP, and of TLS, per request. A process is compared with itself, with a
 * part off and on in turns: two processes of one program differ by more than a part costs. TLS cannot be switched, so there two
 * processes take turns. What is written and sent later counts, too.
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
  const switches = fileURLToPath(new URL('./switched-parts.mjs', import.meta.url));
  const variants = {
    plain: {},
    switched: {
      sections: { telemetry: { otlp_endpoint: collector.url, sample_ratio: SAMPLE_RATIO } },
      nodeArgs: ['--expose-gc', '--import', switches],
    },
    secured: { sections: { server: { tls: files } } },
  };
  const gateways = [];
  try {
    for (const [index, name] of names.entries()) {
      const own = join(folder, String(index));
      await mkdir(own);
      const exchanged = { plan: join(own, 'plan'), report: join(own, 'report') };
      const environment = {
        // Without programs that could fetch models in the background.
        PATH: '/nowhere',
        PLAN_FILE: exchanged.plan,
        REPORT_FILE: exchanged.report,
      };
      const options = { ...variants[name], environment };
      gateways.push({ ...(await startGateway(own, [upstream], options)), name, files: exchanged });
    }
    return await use(gateways);
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** One process after the other, in which all parts take turns. */
async function compareSwitched(surroundings, chosen, { processes, rounds }) {
  const found = Object.fromEntries(chosen.map((part) => [part, { groups: [], withoutUs: [] }]));
  const isPinned =
    availableParallelism() > 1 && pinTo('0', process.pid) && pinTo('0', surroundings.upstream.pid);
  for (let count = 0; count < processes; count++) {
    await withGateways(['switched'], surroundings, async ([gateway]) => {
      if (isPinned) pinTo('1', gateway.pid);
      const load = await openLoad(gateway, cases[BOUNDED]);
      for (const part of chosen) found[part].groups.push([]);
      for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
        for (const part of chosen) {
          const pairs = await switchedRound(gateway, load, { part, first: Math.abs(round % 2) });
          if (round < 0) continue;
          found[part].groups
            .at(-1)
            .push(...pairs.map(({ withoutUs, havingUs }) => Math.log(havingUs / withoutUs)));
          found[part].withoutUs.push(...pairs.map(({ withoutUs }) => withoutUs));
        }
      load.close();
    });
  }
  if (isPinned) for (const pid of [process.pid, surroundings.upstream.pid]) pinTo(ALL_CORES, pid);
  return { found, isPinned };
}

/** The CPU times of a request without a part and with it, what is done for it later included, in pairs that were next to each other. */
async function switchedRound(gateway, load, { part, first }) {
  const { others } = parts[part];
  await reportOf(gateway, { part, others, count: SWITCHED_COUNT, first });
  // All answers have come before the next request is sent, so that each counts in its own state.
  for (let turn = 0; turn < LEAD_IN + SWITCHED_TURNS; turn++) await load.send(SWITCHED_COUNT);
  const { spentUs, laterUs } = await reportOf(gateway, {});
  const [withoutUs, havingUs] = spentUs;
  const laterPerTurnUs = (laterUs[part] ?? 0) / havingUs.length;
  return withoutUs.map((eachUs, index) => ({
    withoutUs: eachUs / SWITCHED_COUNT,
    havingUs: (havingUs[index] + laterPerTurnUs) / SWITCHED_COUNT,
  }));
}

/** Has a gateway tell its findings since the last time, and go on with this plan. */
async function reportOf({ pid, files }, plan) {
  await writeFile(files.plan, JSON.stringify(plan));
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(files.report)) await sleep(REPORT_STEP_MS);
  const report = JSON.parse(await readFile(files.report, 'utf8'));
  await rm(files.report);
  return report;
}

/** Has all threads of a process, and of those that it started, run on these cores; false if that cannot be had. */
function pinTo(cores, pid) {
  const results = [pid, ...descendantsOf(pid)].map((each) =>
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(each)]),
  );
  return results.every(({ status }) => status === 0);
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

function tellSwitched({ found, isPinned }) {
  const where = isPinned
    ? 'The gateway has one core to itself; load, model server and collector share the other.'
    : 'Gateway, load, model server and collector share all cores.';
  console.log(`CPU of a small chat, a process compared with itself: without the part = 1. The part is switched every ${SWITCHED_COUNT} requests.
The mean of the processes' medians of all pairs of such turns that were next to each other, its 95 % interval by bootstrap over processes
and pairs, and the median of each process. ${where}\n`);
  const rows = Object.entries(found).map(([part, { groups, withoutUs }]) => {
    const { title, aim } = parts[part];
    const costs = medianOfGroups(groups);
    const without = middleOf(withoutUs);
    return [
      title,
      without.toFixed(1),
      (without * (Math.exp(costs.median) - 1)).toFixed(2),
      `${ratio(costs.median)} (${ratio(costs.from)} to ${ratio(costs.to)})`,
      groups.map((group) => ratio(middleOf(group))).join(', '),
      aim === undefined ? soundness(costs) : `at most ${aim}: ${verdict(costs, aim)}`,
    ];
  });
  console.log(markdownTable(['', 'without, µs', 'more, µs', 'with', 'processes', 'aim'], rows));
}

function soundness({ median: middle, from, to }) {
  if (Math.exp(-from) <= SOUND && Math.exp(to) <= SOUND) return '1.00 ± 0.01: held';
  const isNear = Math.exp(Math.abs(middle)) <= SOUND;
  return `1.00 ± 0.01: ${isNear ? 'held by the median, not by all of the interval' : 'not held'}`;
}

function verdict({ median: middle, from, to }, aim) {
  if (Math.exp(to) <= aim) return 'met';
  if (Math.exp(from) > aim) return 'missed';
  return Math.exp(middle) <= aim
    ? 'met by the median, not by all of the interval'
    : 'missed by the median, not by all of the interval';
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
