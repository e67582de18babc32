// One replica of the admission benchmark: decides about images of many stacks until the parent says stop.
import { planTable } from '../dist/access/plan-limits.js';
import { Secret } from '../dist/config/secret.js';
import { postgresPool } from '../dist/store/database.js';
import { SqlImageQueue } from '../dist/store/sql-image-queue.js';

const [url, stacks, clients] = process.argv.slice(2);
const pool = postgresPool(new Secret(url));
const queue = new SqlImageQueue({ pool });
const never = new AbortController().signal;
const counts = { admitted: 0, refused: 0 };
let running = true;
let started = false;

process.on('message', (message) => {
  if (message === 'start') started = true;
  if (message === 'stop') running = false;
});
await Promise.all(Array.from({ length: Number(clients) }, warmUp));
process.send('ready');
while (!started) await new Promise((resolve) => setTimeout(resolve, 5));
const latenciesMs = [];
const before = process.cpuUsage();
await Promise.all(Array.from({ length: Number(clients) }, decideForever));
const { user, system } = process.cpuUsage(before);
process.send({ ...counts, latenciesMs, cpuUs: user + system });
await queue.close();
await pool.end();
process.disconnect();

async function warmUp() {
  await pool.query('select 1');
}

async function decideForever() {
  while (running) {
    const beginMs = performance.now();
    const permit = await queue
      .enter(callerOf(Math.floor(Math.random() * Number(stacks))), never)
      .catch(refused);
    latenciesMs.push(performance.now() - beginMs);
    if (permit === undefined) continue;
    counts.admitted++;
    await permit[Symbol.asyncDispose]();
  }
}

function refused(error) {
  if (error.code !== 'image-rate-limited' && error.code !== 'image-queue-full') throw error;
  counts.refused++;
  return undefined;
}

function callerOf(number) {
  return {
    stack: { id: `stack-${number}` },
    key: { id: 'web' },
    plan: { name: 'max', limits: planTable.max },
  };
}
