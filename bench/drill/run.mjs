// `npm run drill`: three replicas on PostgreSQL and S3 under load, while replicas, database, storage, disk, clock and model server fail at
// random for 20 minutes; then every promise is checked. The exit code is 1 if one was broken. `-- --minutes N` or `--seconds N` sets the length,
// `--once` ends it when every fault came once, `--seed S` the choice of faults, `--healthy-seconds N` how soon everything must work again (30), `--record` writes the report to RESULTS.md, `--keep` leaves the folders with the logs.
import { setTimeout as sleep } from 'node:timers/promises';
import { recordResults } from '../record-results.mjs';
import { checkHealth, checkQuiet } from './check-health.mjs';
import { checkLimits } from './check-limits.mjs';
import { checkOnce } from './check-once.mjs';
import { checkStored } from './check-stored.mjs';
import { checkUsage, readLedger } from './check-usage.mjs';
import { ClientBook } from './client-book.mjs';
import { drillReport } from './drill-report.mjs';
import { openDrillWorld } from './drill-world.mjs';
import { Load } from './load.mjs';
import { QueueWatch } from './queue-watch.mjs';
import { Weather } from './weather.mjs';

const CALM_BEFORE_MS = 2_000;
const CALM_AFTER_MS = 3_000;

const has = (name) => process.argv.includes(`--${name}`);
const option = (name, absent) =>
  has(name) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : absent;
const lengthMs = has('seconds') ? option('seconds') * 1_000 : option('minutes', 20) * 60_000;
const seed = option('seed', 1);
const healthyMs = option('healthy-seconds', 30) * 1_000;

// Handlers at the exit stop what was started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const world = await openDrillWorld({ seed, lengthMs });
if (world === undefined) {
  console.log('Skipped: there is no PostgreSQL for this machine.');
  process.exit();
}
const book = new ClientBook();
const weather = new Weather(world, seed);
const queueWatch = new QueueWatch(world.postgres.url);
let isKept = false;
try {
  await startReplicas();
  const { minutes, health } = await drill();
  const results = [...(await checkAll()), health].map(requireChecked);
  const text = drillReport({ world, book, weather, minutes, seed, results });
  isKept = text.endsWith('Every promise was kept.');
  console.log(text);
  if (has('record')) await recordResults('drill', { text, plots: [] });
} finally {
  await queueWatch.stop();
  const keepsFiles = has('keep') || !isKept;
  await world.close({ keepsFiles });
  if (keepsFiles) console.log(`The folders of the replicas are in ${world.folder}`);
}
process.exit(isKept ? 0 : 1);

/** The first makes the tables. */
async function startReplicas() {
  const [first, ...others] = world.replicas;
  await first.start();
  await Promise.all(others.map((replica) => replica.start()));
}

async function drill() {
  const startedMs = performance.now();
  const load = new Load({ replicas: world.replicas, book, seed });
  queueWatch.start();
  load.start();
  await sleep(CALM_BEFORE_MS);
  await weather.last(lengthMs, { isOnce: has('once') });
  console.error('The faults are over; now everything is checked.');
  const checking = checkHealth(world, book, { calmMs: performance.now(), healthyMs });
  await sleep(CALM_AFTER_MS);
  await load.stop();
  const health = await checking;
  return { minutes: (performance.now() - startedMs) / 60_000, health };
}

/** The ledger is read before checks send requests of their own. */
async function checkAll() {
  const quiet = await checkQuiet(world);
  const ledger = await readLedger(world.postgres.url);
  return [
    { promise: 'no answer but the documented ones', checked: total(book.counts), problems: book.unexpected },
    ...checkUsage(world, book, ledger),
    ...checkLimits(world, { book, weather, queueWatch, ledger }),
    ...(await checkOnce(world, { book, weather })),
    ...(await checkStored(world, book.kept)),
    quiet,
  ];
}

/** A promise that nothing put to the test was not kept. */
function requireChecked(result) {
  return result.checked > 0 ? result : { ...result, problems: ['nothing was checked', ...result.problems] };
}

function total(counts) {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
