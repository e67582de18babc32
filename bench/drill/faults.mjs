// The faults, each as a spell: it begins, lasts, and is over when the function returns.
import { setTimeout as sleep } from 'node:timers/promises';
import { killAnEngine } from '../soak/disturbances.mjs';

const FULL_DISK_LOG = 'the usage journal cannot be written; usage is kept in memory alone for now';
const JOURNAL_BACK_LOG = 'the usage journal can be written again';
const JOURNAL_BACK_MS = 30_000;
/** Past this, leases of a frozen replica have run out everywhere. */
const LONG_FREEZE_MS = 34_000;
const LONG_FREEZES_FROM_MS = 240_000;
const DAY_MS = 86_400_000;
const MOST_STEP_SECONDS = 4_000;

/** Faults of one replica, of which there is one at a time. */
export const replicaFaults = [
  ['a replica killed', 5, killReplica],
  ['a replica frozen', 3, freezeReplica],
  ['a disk full', 2, fillDisk],
  ['a clock stepped', 2, stepClock],
  ['an engine killed', 1, killEngine],
];

/** Faults of what the replicas share. */
export const surroundingFaults = [
  ['the database restarted', 3, restartDatabase],
  ['connections to the database cut', 3, cutConnections],
  ['connections to the database silent', 2, silenceConnections],
  ['S3 slow', 2, slowS3],
  ['S3 failing', 2, failS3],
  ['the model server flapping', 3, flapUpstream],
];

async function killReplica({ replicas, within, wait, pick }) {
  const replica = pick(replicas);
  await replica.kill();
  await wait(within(0, 4_000));
  await replica.start();
  return replica.name;
}

async function freezeReplica({ replicas, within, wait, pick, random, lengthMs }) {
  const replica = pick(replicas);
  const isLong = lengthMs >= LONG_FREEZES_FROM_MS && random() < 0.15;
  replica.freeze();
  await wait(isLong ? LONG_FREEZE_MS : within(1_000, 12_000));
  replica.thaw();
  return replica.name;
}

/** Ends when the journal is written again: until then, a kill may lose usage, as the documentation says. */
async function fillDisk({ replicas: [replica], disk, within, wait }) {
  const failures = countOf(replica, FULL_DISK_LOG);
  await disk.fill();
  await wait(within(3_000, 10_000));
  await disk.empty();
  if (countOf(replica, FULL_DISK_LOG) > failures) await untilJournalIsBack(replica);
  return replica.name;
}

async function untilJournalIsBack(replica) {
  const isBack = () => countOf(replica, JOURNAL_BACK_LOG) >= countOf(replica, FULL_DISK_LOG);
  for (const endsMs = performance.now() + JOURNAL_BACK_MS; !isBack(); await sleep(500)) {
    if (performance.now() > endsMs) throw new Error(`the journal of ${replica.name} did not come back`);
  }
}

function countOf(replica, message) {
  return replica.log.filter((line) => line.message === message).length;
}

/** The clock stays where it is until its next step. It stays within the day, which is the day of budgets. */
async function stepClock({ replicas, clock, within, wait }) {
  const seconds = Math.round(within(-MOST_STEP_SECONDS, MOST_STEP_SECONDS));
  const isSameDay = Math.floor((Date.now() + seconds * 1000) / DAY_MS) === Math.floor(Date.now() / DAY_MS);
  await clock.stepTo(isSameDay ? seconds : 0);
  await wait(within(1_000, 3_000));
  return `${replicas.at(-1).name} by ${seconds} s`;
}

async function killEngine({ replicas, pick, random, wait, within }) {
  const replica = pick(replicas);
  killAnEngine(replica.pid, random);
  await wait(within(500, 2_000));
  return replica.name;
}

async function restartDatabase({ postgres, within, wait, pick }) {
  const mode = pick(['fast', 'immediate']);
  await postgres.stop(mode);
  await wait(within(0, 4_000));
  await postgres.start();
  return mode;
}

async function cutConnections({ proxies, within, wait, pick }) {
  const cut = pick([proxies, ...proxies.map((proxy) => [proxy])]);
  for (const proxy of cut) proxy.refuse();
  await wait(within(0, 5_000));
  for (const proxy of cut) proxy.restore();
  return `${cut.length} of ${proxies.length}`;
}

async function silenceConnections({ proxies, within, wait, pick }) {
  const proxy = pick(proxies);
  proxy.silence();
  await wait(within(2_000, 10_000));
  proxy.restore();
  return `one of ${proxies.length}`;
}

async function slowS3({ s3, within, wait }) {
  const delayMs = within(500, 3_000);
  s3.weather = () => sleep(delayMs);
  await wait(within(4_000, 12_000));
  s3.weather = async () => undefined;
  return `by ${Math.round(delayMs)} ms`;
}

async function failS3({ s3, random, within, wait, pick }) {
  const share = pick([0.3, 0.7, 1]);
  const failure = { status: 503, code: 'SlowDown' };
  s3.weather = async () => (random() < share ? failure : undefined);
  await wait(within(3_000, 10_000));
  s3.weather = async () => undefined;
  return `${Math.round(share * 100)} %`;
}

/** Fails some requests, and is away for moments. */
async function flapUpstream({ upstream, within, wait, pick }) {
  const times = pick([1, 2, 3]);
  upstream.isFlapping = true;
  for (let time = 0; time < times; time += 1) {
    await wait(within(500, 3_000));
    await upstream.refuse();
    await wait(within(200, 2_000));
    await upstream.accept();
  }
  upstream.isFlapping = false;
  return `away ${times} times`;
}
