import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyDatabase } from './database-template.mjs';
import { sendRequests } from './keep-alive-load.mjs';
import { startServer } from './server-process.mjs';
import { median } from './statistics.mjs';

const FULL = { rounds: 8, requests: 8_000 };
const QUICK = { rounds: 3, requests: 2_000 };
const CONNECTIONS = 32;
// Without an embedded model, whose fetching and loading would be counted.
const CONFIGURATION =
  'engines: { text: { none: { kind: openai, base_url: "http://127.0.0.1:9/v1", model: none, context_window: 8192 } } }\n';
const gatewayScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const bareScript = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));

/** GET /v1/models with a valid key, against a bare Node server that answers the same bytes; and idle memory. */
export async function run({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    await copyDatabase(folder);
    await writeFile(join(folder, 'stackgate.yaml'), CONFIGURATION);
    await makeDataFolder(folder);
    await measure(folder, quick ? QUICK : FULL);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first start creates the database and the key and is not measured. */
async function makeDataFolder(folder) {
  const first = await startGateway(folder);
  await first.stop();
}

function startGateway(folder) {
  return startServer(gatewayScript, {
    cwd: folder,
    args: ['serve'],
    env: { STACKGATE_PORT: '0', STACKGATE_LOG_LEVEL: 'info' },
  });
}

async function measure(folder, { rounds, requests }) {
  const gateway = await startGateway(folder);
  const restMb = gateway.rssMb();
  const key = (await readFile(join(folder, 'data', 'default-key'), 'utf8')).trim();
  const answer = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  const bare = await startServer(bareScript, { args: [await answer.text()] });
  const request = Buffer.from(
    `GET /v1/models HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\naccept: application/json\r\n\r\n`,
  );
  const costs = { bare: [], gateway: [] };
  for (let round = -2; round < rounds; round++) {
    for (const [name, server] of Object.entries({ bare, gateway })) {
      const beforeUs = server.cpuUs();
      await sendRequests(server.url, {
        makeRequest: () => request,
        count: requests,
        connections: CONNECTIONS,
      });
      // The first two rounds warm up the compilers.
      if (round >= 0) costs[name].push((server.cpuUs() - beforeUs) / requests);
    }
  }
  const loadedMb = gateway.rssMb();
  await Promise.all([gateway.stop(), bare.stop()]);
  tell(costs, { restMb, loadedMb });
}

function tell({ bare, gateway }, { restMb, loadedMb }) {
  const ratios = gateway.map((cost, round) => cost / bare[round]);
  console.log('GET /v1/models, CPU per request');
  console.log(`  bare Node server   1.00   (${median(bare).toFixed(1)} µs)`);
  console.log(
    `  Stackgate          ${median(ratios).toFixed(2)}   (${median(gateway).toFixed(1)} µs), rounds ${ratios.map((r) => r.toFixed(2)).join(' ')}`,
  );
  console.log('Memory, main process and database worker together');
  console.log(`  second start       ${restMb.toFixed(0)} MB RSS`);
  console.log(`  after the load     ${loadedMb.toFixed(0)} MB RSS`);
}
