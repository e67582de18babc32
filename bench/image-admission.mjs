import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startPostgres } from './start-postgres.mjs';

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
    return { isSkipped: true };
  }
  try {
    await prepare(postgres.url);
    const seconds = quick ? QUICK_SECONDS : SECONDS;
    report(await measure(postgres.url, seconds), seconds);
  } finally {
    await postgres.close();
  }
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
