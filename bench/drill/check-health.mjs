// After the last fault, everything works again at every replica, and nothing is left under way.
import { setTimeout as sleep } from 'node:timers/promises';
import { takeSample } from '../soak/soak-watch.mjs';
import { chats, probes } from './drill-requests.mjs';
import { tagOf } from './drill-upstream.mjs';
import { PLACES } from './stacks.mjs';

/** Longer than promised, to tell slow from never. */
const GIVE_UP_MS = 120_000;
const PATIENCE_MS = 15_000;
const QUIET_MS = 60_000;
const POLL_MS = 250;
const PLACES_TAG = tagOf('places', 0);

/** Asks every part of every replica until it answers, from the end of the faults on. */
export async function checkHealth({ replicas }, book, { calmMs, healthyMs }) {
  const [first] = replicas;
  const free = untilWorks(() => placesAreFree(first, book), calmMs);
  const times = await Promise.all([
    free.then((ms) => ({ what: `${first.name}: all places of a stack`, ms })),
    ...replicas.flatMap((replica, place) => [
      untilWorks(() => replica.isReady(), calmMs).then((ms) => ({ what: `${replica.name}: ready`, ms })),
      ...probes.map(async (kind, index) => {
        const request = kind.make(tagOf('health', place * probes.length + index));
        const send = () => book.send({ replica, stack: 'health', kind, request, patienceMs: PATIENCE_MS });
        const ms = await untilWorks(async () => (await send()).isWhole, calmMs);
        return { what: `${replica.name}: ${kind.name}`, ms };
      }),
    ]),
  ]);
  const slowest = Math.max(...times.map(({ ms }) => ms));
  return {
    promise: `every part of every replica works again within ${healthyMs / 1000} s (the slowest after ${(slowest / 1000).toFixed(1)} s)`,
    checked: times.length,
    problems: times
      .filter(({ ms }) => ms > healthyMs)
      .map(({ what, ms }) => `${what} after ${(ms / 1000).toFixed(0)} s`),
  };
}

/** As many requests as a stack may have at the same time: those of killed replicas are free again. */
async function placesAreFree(replica, book) {
  const [kind] = chats;
  const asked = Array.from({ length: PLACES }, () =>
    book.send({ replica, stack: 'places', kind, request: kind.make(PLACES_TAG), patienceMs: PATIENCE_MS }),
  );
  return (await Promise.all(asked)).every(({ isWhole }) => isWhole);
}

async function untilWorks(works, calmMs) {
  for (;;) {
    const isWorking = await works();
    const passedMs = performance.now() - calmMs;
    if (isWorking) return passedMs;
    if (passedMs > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
    await sleep(POLL_MS);
  }
}

/** Nothing is in flight or waits, and the children of killed processes are gone. */
export async function checkQuiet({ replicas }) {
  const problems = await Promise.all(replicas.map(unquiet));
  return {
    promise: 'nothing is left in flight or waiting, and no process outlives its killed replica',
    checked: replicas.length,
    problems: problems.flat(),
  };
}

async function unquiet(replica) {
  for (const endsMs = performance.now() + QUIET_MS; ; await sleep(POLL_MS)) {
    const sample = await takeSample({
      gateway: replica,
      dataFolder: replica.dataFolder,
      temporaryFolders: [],
    });
    const problems = [
      ...(sample.inFlight > 0 ? [`${replica.name}: ${sample.inFlight} requests in flight`] : []),
      ...(sample.waiting > 0 ? [`${replica.name}: ${sample.waiting} waiting`] : []),
      ...replica.livingOrphans.map(({ command }) => `${replica.name} left behind: ${command.slice(0, 120)}`),
    ];
    if (problems.length === 0 || performance.now() > endsMs) return problems;
  }
}
