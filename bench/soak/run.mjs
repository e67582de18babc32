// `npm run soak -- --minutes 30`: mixed traffic over all endpoints with rude clients, engine crashes and upstream failures, then a look at
// whether everything came back. The exit code is 1 where a status was unexpected or something leaked. `--seed N` repeats a choice of requests,
// `--record` writes the report to RESULTS.md, `--without-ocr` fetches no model.
import { setTimeout as sleep } from 'node:timers/promises';
import { recordResults } from '../record-results.mjs';
import { disturbUpstream, killAnEngine } from './disturbances.mjs';
import { judgeSoak } from './judge-soak.mjs';
import { installOcr } from './ocr-model.mjs';
import { beRude, rudeManners } from './rude-clients.mjs';
import { seededRandom } from './seeded-random.mjs';
import { requests } from './soak-requests.mjs';
import { takeSample } from './soak-watch.mjs';
import { openWorld } from './soak-world.mjs';

const CLIENTS = 12;
const RUDE_CLIENTS = 3;
const FAILING_SHARE = 0.15;
const KILL_EVERY_MS = 7_000;
// A short run has as many kills as a minute has.
const LEAST_KILLS = 8;
const SAMPLE_EVERY_MS = 2_000;
const WARM_UP_MS = 5_000;
const REQUEST_BOUND_MS = 60_000;
const QUIET_BOUND_MS = 45_000;

const option = (name) => Number(process.argv[process.argv.indexOf(`--${name}`) + 1]);
const has = (name) => process.argv.includes(`--${name}`);
const lengthMs = has('seconds')
  ? option('seconds') * 1000
  : (has('minutes') ? option('minutes') : 30) * 60_000;
const killEveryMs = Math.min(KILL_EVERY_MS, lengthMs / LEAST_KILLS);
const random = seededRandom(has('seed') ? option('seed') : 1);

const world = await openWorld(has('without-ocr') ? undefined : installOcr);
const record = { counts: new Map(), unexpected: [], kills: [], rude: 0, samples: [] };
try {
  await warmUp();
  const before = await quietSample();
  disturbUpstream(world.upstream, { random, share: FAILING_SHARE });
  await soak(Date.now() + lengthMs);
  world.upstream.script(() => undefined);
  const after = await quietSample(before);
  const verdict = judgeSoak({ ...record, before, after });
  console.log(verdict.text);
  if (has('record')) await recordResults('soak', { text: verdict.text, plots: [] });
  process.exitCode = verdict.problems.length === 0 ? 0 : 1;
} finally {
  await world.close();
}

/** Uses everything that starts on first use, so that it is not taken for a leak. */
async function warmUp() {
  const end = Date.now() + Math.max(Math.min(WARM_UP_MS, lengthMs / 4), lengthMs / 10);
  while (Date.now() < end) for (const request of requests) await send(request);
  record.counts.clear();
}

async function soak(endsAt) {
  const startedAt = Date.now();
  const goOn = () => Date.now() < endsAt;
  const loops = [
    ...Array.from({ length: CLIENTS }, () => whilst(goOn, () => send(pick()))),
    ...Array.from({ length: RUDE_CLIENTS }, () => whilst(goOn, annoy)),
    whilst(goOn, async () => {
      await sleep(killEveryMs);
      const killed = killAnEngine(world.gateway.pid, random);
      if (killed !== undefined) record.kills.push(killed);
    }),
    whilst(goOn, async () => {
      const minute = (Date.now() - startedAt) / 60_000;
      record.samples.push({ minute, ...(await takeSample(world)) });
      await sleep(SAMPLE_EVERY_MS);
    }),
  ];
  await Promise.all(loops);
}

async function whilst(goOn, act) {
  while (goOn()) await act();
}

function pick() {
  const total = requests.reduce((sum, { weight }) => sum + weight, 0);
  let left = random() * total;
  return requests.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}

async function send(request) {
  const { path, headers, ...init } = request.make();
  const { url } = world.gateway;
  let status;
  try {
    const response = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${world.key}`, ...headers },
      signal: AbortSignal.timeout(REQUEST_BOUND_MS),
    });
    ({ status } = response);
    const body = await response.text();
    if (!request.allowed.has(status))
      record.unexpected.push(`${request.name}: ${status} ${body.slice(0, 200)}`);
  } catch (error) {
    status = error.name;
    record.unexpected.push(`${request.name}: ${error.cause ?? error}`);
  }
  const id = `${request.name}\t${status}`;
  record.counts.set(id, (record.counts.get(id) ?? 0) + 1);
}

async function annoy() {
  const manners = Object.keys(rudeManners);
  await beRude(world.gateway.url, world.key, manners[Math.floor(random() * manners.length)]);
  record.rude += 1;
}

/** A sample once everything is idle and, given an earlier sample, back to it, or after a time limit. */
async function quietSample(before) {
  const endsAt = Date.now() + QUIET_BOUND_MS;
  for (;;) {
    const sample = await takeSample(world);
    const isQuiet =
      sample.inFlight === 0 &&
      sample.waiting === 0 &&
      (before === undefined ||
        (sample.temporaryFiles <= before.temporaryFiles && sample.children <= before.children));
    if (isQuiet || Date.now() > endsAt) return sample;
    await sleep(500);
  }
}
