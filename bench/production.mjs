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
import { bestQuartile, markdownTable, median, medianInterval } from './statistics.mjs';
import { startGateway, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
/** The cases, with the requests of one round, and those before the first. */
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 4_000, warmUp: 48_000 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 1_000, warmUp: 12_000 },
};
/** The case with aims. */
const BOUNDED = 'chat, small';
const SAMPLE_RATIO = 0.1;
/** What is switched on and off in one process, with the aim, and how long its work may go on after the requests. */
const parts = {
  journal: { title: 'The journal of usage', gateway: 'plain', aim: 1.03, afterMs: 0 },
  traces: {
    title: `Traces of ${SAMPLE_RATIO * 100} %`,
    gateway: 'traced',
    aim: 1.05,
    // Spans are sent every 2 seconds.
    afterMs: 2_200,
  },
};
const HANDSHAKES = 200;
/** Two processes of the same program differ by a few per cent, so that those with and without TLS are started anew. */
const FULL = { starts: 2, rounds: 10, pairs: 24 };
const QUICK = { starts: 1, rounds: 4, pairs: 4 };
const SWITCH_STEP_MS = 5;

/** The costs of the journal of usage, of traces sent by OTLP, and of TLS, per request. */
export async function run({ quick }) {
  const extent = quick ? QUICK : FULL;
  const upstream = await startUpstream();
  const collector = await startCollector();
  const surroundings = { upstream, collector };
  try {
    for (const part of chosenParts())
      await withGateways([parts[part].gateway], surroundings, async ([gateway]) => {
        tellSwitched(part, await compareSwitched(gateway, part, extent));
      });
    if (collector.bytes() === 0 && chosenParts().includes('traces')) throw new Error('no traces were sent');
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

function chosenParts() {
  return Object.keys(parts).filter(wants);
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

/** Starts gateways that differ in their configuration alone. */
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
    for (const name of names) {
      const own = join(folder, name);
      await mkdir(own);
      const switches = join(own, 'switches');
      // Without programs that could fetch models in the background.
      const environment = { PATH: '/nowhere', SWITCHES_FILE: switches };
      const options = { sections: variants[name], environment, nodeArgs };
      gateways.push({ ...(await startGateway(own, [upstream], options)), switches });
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

/** CPU time per request with and without a part, in pairs of rounds of one process. */
async function compareSwitched(gateway, part, { pairs }) {
  const { afterMs } = parts[part];
  const found = {};
  for (const [title, request] of Object.entries(cases)) {
    const load = await openLoad(gateway, request);
    await load.send(request.warmUp);
    const costs = { without: [], with: [] };
    for (let pair = 0; pair < pairs; pair++) {
      // Each is first equally often.
      const order = pair % 2 === 0 ? ['without', 'with'] : ['with', 'without'];
      for (const state of order) {
        await switchOff(state === 'without' ? [part] : [], gateway);
        costs[state].push(await load.cost(request.count, afterMs));
      }
    }
    load.close();
    found[title] = costs;
  }
  return found;
}

/** CPU time per request with and without TLS, round by round; the gateways take turns. */
async function compareTls(surroundings, { starts, rounds }) {
  const found = { connections: { plain: [], secured: [] } };
  for (const title of Object.keys(cases)) found[title] = { without: [], with: [] };
  for (let start = 0; start < starts; start++) {
    await withGateways(['plain', 'secured'], surroundings, async ([plain, secured]) => {
      for (const [title, request] of Object.entries(cases)) {
        const loads = { without: await openLoad(plain, request), with: await openLoad(secured, request) };
        for (const load of Object.values(loads)) await load.send(request.warmUp);
        for (let round = 0; round < rounds; round++) {
          const order = round % 2 === 0 ? ['without', 'with'] : ['with', 'without'];
          for (const state of order) found[title][state].push(await loads[state].cost(request.count));
        }
        for (const load of Object.values(loads)) load.close();
      }
      found.connections.plain.push(await connectionUs(plain));
      found.connections.secured.push(await connectionUs(secured));
    });
  }
  return found;
}

/** Connections that stay open, and what requests over them cost. */
async function openLoad({ url, headers, cpuUs }, request) {
  const connections = await openConnections(url, CONNECTIONS);
  const makeRequest = requestMaker(request, headers);
  const send = (count) => sendOver(connections, { makeRequest, count });
  // Connections that wait for their first request for long are served by Node's server, at twice the cost.
  await send(CONNECTIONS);
  return {
    send,
    cost: async (count, afterMs = 0) => {
      const beforeUs = cpuUs();
      await send(count);
      await sleep(afterMs);
      return (cpuUs() - beforeUs) / count;
    },
    close: () => {
      for (const connection of connections) connection.close();
    },
  };
}

async function connectionUs({ url, cpuUs }) {
  const beforeUs = cpuUs();
  for (let count = 0; count < HANDSHAKES; count++) (await openConnections(url, 1))[0].close();
  return (cpuUs() - beforeUs) / HANDSHAKES;
}

function tellSwitched(part, found) {
  const { title, aim } = parts[part];
  console.log(`\n${title}, switched on and off within one process: CPU per request, without = 1;`);
  console.log(`aim: at most ${aim} for a small chat. Median of the pairs of rounds (its 95 % interval)\n`);
  console.log(markdownTable(['', 'without, µs', 'with'], costRows(found)));
  const isMet = median(ratiosOf(found[BOUNDED])) <= aim;
  console.log(`\n${title}: the aim is ${isMet ? 'met' : 'missed'}.`);
}

function tellTls({ connections, ...found }) {
  console.log('\nTLS, connections kept: CPU per request of two processes, without = 1\n');
  console.log(markdownTable(['', 'without, µs', 'with'], costRows(found)));
  const [open, secured] = [connections.plain, connections.secured].map((costs) => median(costs).toFixed(0));
  console.log(`\nA new connection costs ${open} µs, one with a TLS handshake ${secured} µs.`);
}

function costRows(found) {
  return Object.entries(found).map(([title, costs]) => {
    const ratios = ratiosOf(costs);
    const { from, to } = medianInterval(ratios);
    const [middle, least, most] = [median(ratios), from, to].map((ratio) => ratio.toFixed(3));
    return [title, bestQuartile(costs.without).toFixed(0), `${middle} (${least} to ${most})`];
  });
}

function ratiosOf({ without, with: costs }) {
  return costs.map((cost, pair) => cost / without[pair]);
}
