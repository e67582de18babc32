import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendRequests } from './keep-alive-load.mjs';
import { startPostgres } from './start-postgres.mjs';
import { bestQuartile, markdownTable, median } from './statistics.mjs';
import { startGateway, startUpstream } from './text-peers.mjs';
import { requestMaker } from './text-requests.mjs';

const CONNECTIONS = 64;
// Until Node has optimised the code, the first tens of thousands of requests cost up to twice as much.
const WARM_UP_ROUNDS = 6;
const ROUNDS = 20;
const COUNT = 2_500;

const small = { answer: 'short', streams: true };
const chat = { format: 'chat', ...small };

/** A small streamed response beside the same chat, on one gateway: not stored, and stored in PostgreSQL. */
export async function run({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  const upstream = await startUpstream();
  const rows = [];
  try {
    const passing = { format: 'responses', ...small };
    rows.push(await compare('not stored', passing, 1.2, { folder, upstream, quick }));
    const postgres = await startPostgres();
    if (postgres === undefined) console.log('PostgreSQL: there are no binaries for this machine\n');
    else {
      const stored = { ...passing, store: true };
      const environment = { DATABASE_URL: postgres.url };
      rows.push(await compare('stored in PostgreSQL', stored, 2, { folder, upstream, quick, environment }));
      await postgres.close();
    }
  } finally {
    await upstream.stop();
    await rm(folder, { recursive: true, force: true });
  }
  console.log(
    'CPU of the gateway per request, both kinds in turns: best quartile of the rounds (median in brackets)\n',
  );
  console.log(markdownTable(['a small response', 'chat, µs', 'response, µs', 'times the chat', 'aim'], rows));
}

async function compare(name, responses, aim, { folder, upstream, quick, environment }) {
  const home = join(folder, name.replaceAll(' ', '-'));
  await mkdir(home);
  const gateway = await startGateway(home, [upstream], { environment });
  const costs = { chat: [], responses: [] };
  const [warmUp, rounds] = quick ? [3, 6] : [WARM_UP_ROUNDS, ROUNDS];
  for (let round = -warmUp; round < rounds; round++) {
    for (const [kind, request] of Object.entries({ chat, responses })) {
      const us = await costOf(gateway, request);
      if (round >= 0) costs[kind].push(us);
    }
  }
  await gateway.stop();
  const ratios = costs.responses.map((us, round) => us / costs.chat[round]);
  const both = (values, digits) =>
    `${bestQuartile(values).toFixed(digits)} (${median(values).toFixed(digits)})`;
  return [name, both(costs.chat, 0), both(costs.responses, 0), both(ratios, 2), String(aim)];
}

async function costOf(gateway, request) {
  const makeRequest = requestMaker(request, gateway.headers);
  const beforeUs = gateway.cpuUs();
  await sendRequests(gateway.url, { makeRequest, count: COUNT, connections: CONNECTIONS });
  return (gateway.cpuUs() - beforeUs) / COUNT;
}
