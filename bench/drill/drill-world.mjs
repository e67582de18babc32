// Three replicas on a real PostgreSQL and an S3 server, each with a way to the database that can be cut.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTestModules } from '../load-test-modules.mjs';
import { seededRandom } from '../soak/seeded-random.mjs';
import { startPostgres } from '../start-postgres.mjs';
import { openClock } from './clock-of-a-replica.mjs';
import { openDisk } from './disk-of-a-replica.mjs';
import { DrillUpstream } from './drill-upstream.mjs';
import { lowPort } from './low-port.mjs';
import { Replica } from './replica.mjs';
import { configuration, TOKENS_PER_BUDGET_CHAT } from './stacks.mjs';
import { TcpProxy } from './tcp-proxy.mjs';

const REPLICAS = 3;
/** Fewer than are asked for, so that the budget is spent before the end. */
const BUDGET_CHATS_PER_SECOND = 0.5;

/** Undefined where there is no PostgreSQL. `close` stops everything and, unless told otherwise, removes its files. */
export async function openDrillWorld({ seed, lengthMs }) {
  const postgres = await startPostgres();
  if (postgres === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-drill-'));
  // The browser runs as another user, where the gateway may choose one.
  await chmod(folder, 0o711);
  const [{ S3Server }] = await loadTestModules('s3/s3-server.ts');
  const s3 = await S3Server.start();
  const upstream = await DrillUpstream.start(seededRandom(seed));
  const budgetTokens = Math.ceil((lengthMs / 1000) * BUDGET_CHATS_PER_SECOND) * TOKENS_PER_BUDGET_CHAT;
  const proxies = await Promise.all(
    Array.from({ length: REPLICAS }, () => TcpProxy.start(Number(new URL(postgres.url).port))),
  );
  const clock = await openClock(folder);
  const { replicas, disk } = await makeReplicas({ folder, clock });
  for (const [index, replica] of replicas.entries()) {
    const databaseUrl = withPort(postgres.url, proxies[index].port);
    await replica.configure(configuration({ upstreamUrl: upstream.url, databaseUrl, s3, budgetTokens }));
  }
  const close = async ({ keepsFiles }) => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await upstream.close();
    await s3[Symbol.asyncDispose]();
    await postgres.close();
    await disk.close();
    if (!keepsFiles) await rm(folder, { recursive: true, force: true });
  };
  return { folder, postgres, s3, upstream, proxies, clock, disk, replicas, budgetTokens, close };
}

/** The first has the disk that fills up, the last the clock that is stepped. */
async function makeReplicas({ folder, clock }) {
  const homes = Array.from({ length: REPLICAS }, (_, index) => join(folder, `replica-${index + 1}`));
  for (const home of homes) {
    await mkdir(home, { mode: 0o711 });
    await mkdir(join(home, 'data'), { mode: 0o700 });
  }
  const disk = await openDisk(join(homes[0], 'data'), folder);
  const launches = homes.map(() => ({ env: {}, nodeArgs: [] }));
  launches[0] = disk;
  launches[REPLICAS - 1] = clock;
  const replicas = [];
  for (const [index, home] of homes.entries()) {
    const port = await lowPort();
    replicas.push(new Replica({ name: `replica-${index + 1}`, folder: home, port, launch: launches[index] }));
  }
  return { replicas, disk };
}

function withPort(url, port) {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
