import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createViteServer } from 'vitest/node';

const PROCESSES = 8;
const CLIENTS = 4;
const STACKS = 2_000;
const SECONDS = 10;
const QUICK_SECONDS = 3;
const AIM_PER_SECOND = 500;
const script = fileURLToPath(new URL('./image-admission-process.mjs', import.meta.url));

/** Decisions of the image queue a second: eight processes in front of one PostgreSQL. */
export async function run({ quick = false } = {}) {
  const postgres = await startPostgres();
  if (postgres === undefined) {
    console.log('image admission: skipped, there are no PostgreSQL binaries for this machine\n');
    return;
  }
  try {
    await prepare(postgres.url);
    const seconds = quick ? QUICK_SECONDS : SECONDS;
    report(await measure(postgres.url, seconds), seconds);
  } finally {
    await postgres.close();
  }
}

/** A server of the benchmark's own, as the tests start one; undefined where there are no binaries for this machine. */
async function startPostgres() {
  const vite = await createViteServer({
    configFile: false,
    root: fileURLToPath(new URL('../testing/real-postgres', import.meta.url)),
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null },
    appType: 'custom',
  });
  const { realPostgresAvailable } = await vite.ssrLoadModule('/postgres-binaries.ts');
  if (!realPostgresAvailable) {
    await vite.close();
    return undefined;
  }
  const { startRealPostgres } = await vite.ssrLoadModule('/real-postgres.ts');
  // As it comes, with a disk that is waited for.
  const server = await startRealPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' });
  const close = async () => {
    await server[Symbol.asyncDispose]();
    await vite.close();
  };
  return { url: await server.createDatabase(), close };
}

async function prepare(url) {
  const { postgresPool } = await import('../dist/store/database.js');
  const { migrate } = await import('../dist/store/migrate.js');
  const { Secret } = await import('../dist/config/secret.js');
  const pool = postgresPool(new Secret(url));
  await migrate(pool);
  await pool.end();
}

async function measure(url, seconds) {
  const children = Array.from({ length: PROCESSES }, () => fork(script, [url, STACKS, CLIENTS]));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const results = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('start');
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    for (const child of children) child.send('stop');
    return (await Promise.all(results)).map(([counts]) => counts);
  } finally {
    for (const child of children) child.kill();
  }
}

function report(counts, seconds) {
  const sum = (name) => counts.reduce((total, each) => total + each[name], 0);
  const latencies = counts.flatMap(({ latenciesMs }) => latenciesMs).sort((one, other) => one - other);
  const at = (share) => latencies[Math.floor(latencies.length * share)]?.toFixed(1);
  const decisions = sum('admitted') + sum('refused');
  console.log(
    `image admission: ${PROCESSES} processes, ${PROCESSES * CLIENTS} clients, ${STACKS} stacks, PostgreSQL`,
  );
  console.log(
    `  ${Math.round(decisions / seconds)} decisions a second (aim: ${AIM_PER_SECOND}), ${sum('admitted')} admitted, ${sum('refused')} refused`,
  );
  console.log(
    `  a decision takes ${at(0.5)} ms, the slowest in a hundred ${at(0.99)} ms; ${Math.round(sum('cpuUs') / decisions)} µs of CPU in the gateway with the leaving\n`,
  );
}
