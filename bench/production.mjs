import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../testing/certificates.mjs';
import { openConnections, sendOver } from './keep-alive-load.mjs';
import { bestQuartile, markdownTable, median, medianInterval } from './statistics.mjs';
import { startGateway, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 32;
/** The cases, with the requests of one round. */
const cases = {
  'chat, small': { format: 'chat', answer: 'short', streams: false, count: 2_000 },
  'messages, streamed': { format: 'messages', answer: 'long', streams: true, count: 400 },
};
/** The case with aims. */
const BOUNDED = 'chat, small';

/** Two processes of the same program differ by a few per cent, so that gateways are started anew several times. */
const STARTS = 4;
const ROUNDS = 12;
// Until Node has optimised the code, the first tens of thousands of requests cost up to twice as much.
const WARM_UP_ROUNDS = 15;
const SAMPLE_RATIO = 0.1;
const HANDSHAKES = 200;
const AIMS = { journal: 1.03, traced: 1.05 };

/** Blocks with and without the journal alternate, in one process. */
const BLOCKS = 24;
const ROUNDS_PER_BLOCK = 8;
/** A journal begins a new file every 2 seconds, and only then notices whether it can. */
const NEW_FILE_MS = 2_600;
/** Rounds of a block are short, so that blocks follow one another closely. */
const BLOCK_SHARE = 1 / 5;

const QUICK = { starts: 1, rounds: 4, blocks: 4 };
const FULL = { starts: STARTS, rounds: ROUNDS, blocks: BLOCKS };

/** The costs of the journal of usage, of traces sent by OTLP, and of TLS, per request. */
export async function run({ quick }) {
  const extent = quick ? QUICK : FULL;
  const upstream = await startUpstream();
  const collector = await startCollector();
  try {
    const found = {};
    for (let start = 0; start < extent.starts; start++)
      await withGateways({ upstream, collector }, (gateways) => compare(gateways, extent, found));
    if (collector.bytes() === 0) throw new Error('no traces were sent');
    tellComparison(found);
    const journal = await withGateways({ upstream, collector, only: 'plain' }, ({ plain }) =>
      compareJournal(plain, extent),
    );
    tellJournal(journal);
  } finally {
    collector.stop();
    await upstream.stop();
  }
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

/** Starts the same gateway plain, with traces and with TLS. */
async function withGateways({ upstream, collector, only }, use) {
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
  const gateways = {};
  try {
    for (const [name, sections] of Object.entries(variants)) {
      if (only !== undefined && only !== name) continue;
      const own = join(folder, name);
      await mkdir(own);
      // Without programs that could fetch models in the background.
      const environment = { PATH: '/nowhere' };
      const started = await startGateway(own, [upstream], { sections, environment });
      gateways[name] = { ...started, folder: own };
    }
    return await use(gateways);
  } finally {
    await Promise.all(Object.values(gateways).map((gateway) => gateway.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** CPU time per request of each gateway, round by round; the gateways take turns within a round. */
async function compare(gateways, { rounds }, found) {
  for (const [title, request] of Object.entries(cases)) {
    found[title] ??= { plain: [], traced: [], secured: [] };
    const loads = await Promise.all(
      Object.entries(gateways).map(async ([name, gateway]) => [name, await openLoad(gateway, request)]),
    );
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      // Each is first and last equally often.
      const turns = round % 2 === 0 ? loads : loads.toReversed();
      for (const [name, load] of turns) {
        const costUs = await load.cost(request.count);
        if (round >= 0) found[title][name].push(costUs);
      }
    }
    for (const [, load] of loads) load.close();
  }
  found.connections ??= { plain: [], secured: [] };
  for (const name of ['plain', 'secured']) found.connections[name].push(await connectionUs(gateways[name]));
}

/** Connections that stay open, and what requests over them cost. */
async function openLoad({ url, headers, cpuUs }, request) {
  const connections = await openConnections(url, CONNECTIONS);
  const makeRequest = requestMaker(request, headers);
  return {
    cost: async (count) => {
      const beforeUs = cpuUs();
      await sendOver(connections, { makeRequest, count });
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

/** CPU time per request while the journal can be written and while it cannot. */
async function compareJournal(gateway, { blocks }) {
  const journal = join(gateway.folder, 'data', 'usage');
  const found = {};
  for (const [title, request] of Object.entries(cases)) {
    const load = await openLoad(gateway, request);
    const count = Math.ceil(request.count * BLOCK_SHARE);
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await load.cost(request.count);
    const costs = { without: [], journaled: [] };
    for (let block = 0; block < blocks; block++) {
      const isJournaled = block % 4 === 1 || block % 4 === 2;
      if (isJournaled) await mkdir(journal, { recursive: true });
      else await rm(journal, { recursive: true, force: true });
      await load.cost(count);
      await sleep(NEW_FILE_MS);
      await load.cost(count);
      for (let round = 0; round < ROUNDS_PER_BLOCK; round++)
        costs[isJournaled ? 'journaled' : 'without'].push(await load.cost(count));
    }
    load.close();
    found[title] = costs;
  }
  return found;
}

function tellComparison({ connections, ...found }) {
  const share = `${SAMPLE_RATIO * 100} %`;
  console.log(
    `\nTraces and TLS: CPU per request, without both = 1; aim: at most ${AIMS.traced} with traces of`,
  );
  console.log(
    `${share} of the requests, for a small chat. Best quartile of the rounds (median, its 95 % interval)\n`,
  );
  const rows = Object.entries(found).map(([title, { plain, traced, secured }]) => [
    title,
    bestQuartile(plain).toFixed(0),
    ratioCell(traced, plain),
    ratioCell(secured, plain),
  ]);
  console.log(markdownTable(['', 'without, µs', `traces of ${share}`, 'TLS, connections kept'], rows));
  const [open, secured] = [connections.plain, connections.secured].map((costs) => median(costs).toFixed(0));
  console.log(`\nA new connection costs ${open} µs, one with a TLS handshake ${secured} µs.`);
  tellAim('Traces', AIMS.traced, found[BOUNDED].traced, found[BOUNDED].plain);
}

function tellJournal(found) {
  console.log(
    `\nThe journal of usage: CPU per request, without it = 1; aim: at most ${AIMS.journal} for a small chat\n`,
  );
  const rows = Object.entries(found).map(([title, { without, journaled }]) => [
    title,
    bestQuartile(without).toFixed(0),
    ratioCell(journaled, without),
  ]);
  console.log(markdownTable(['', 'without, µs', 'with the journal'], rows));
  tellAim('The journal', AIMS.journal, found[BOUNDED].journaled, found[BOUNDED].without);
}

function ratioCell(costs, yardstick) {
  const ratios = ratiosOf(costs, yardstick);
  const { from, to } = medianInterval(ratios);
  const [best, middle] = [bestQuartile(ratios), median(ratios)].map((ratio) => ratio.toFixed(3));
  return `${best} (${middle}, ${from.toFixed(3)} to ${to.toFixed(3)})`;
}

function tellAim(what, aim, costs, yardstick) {
  const isMet = median(ratiosOf(costs, yardstick)) <= aim;
  console.log(`\n${what}: the aim is ${isMet ? 'met' : 'missed'}.`);
}

function ratiosOf(costs, yardstick) {
  return costs.map((cost, round) => cost / yardstick[round]);
}
