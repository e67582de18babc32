// Limits over all replicas, as the model server and the clients saw them.
import { PLACES, RATE, TOKENS_PER_BUDGET_CHAT } from './stacks.mjs';

const MINUTE_MS = 60_000;
/** Use since the last report of a killed replica is missing from a budget until its journal is read. */
const REPORT_MS = 3_000;
const AWAY = [
  'the database restarted',
  'connections to the database cut',
  'connections to the database silent',
];
/** Within this time a request has its place in the queue, if nothing is wrong. */
const QUEUED_MS = 3_000;
const LONGEST_WAIT_MS = 70_000;
const HINDRANCES = [...AWAY, 'a replica killed', 'a replica frozen', 'an engine killed', 'a disk full'];

export function checkLimits(world, { book, weather, queueWatch, ledger }) {
  return [
    checkRate(book),
    checkPlaces(world),
    checkBudget(world, { book, weather, ledger }),
    checkOrder(world, { book, weather, queueWatch }),
  ];
}

/** A window that has more whole requests than the limit is a proof, whenever each of them was admitted. */
function checkRate(book) {
  const served = book.served.get('rate') ?? [];
  const bySent = served.toSorted((one, other) => one.sentMs - other.sentMs);
  const most = bySent.reduce((highest, { sentMs }, first) => {
    const inWindow = bySent
      .slice(first, first + 3 * RATE)
      .filter(({ endedMs }) => endedMs <= sentMs + MINUTE_MS).length;
    return Math.max(highest, inWindow);
  }, 0);
  return {
    promise: `at most ${RATE} requests in any minute, over all replicas`,
    checked: served.length,
    problems: most > RATE ? [`${most} within a minute`] : [],
  };
}

function checkPlaces({ upstream }) {
  const peak = upstream.peaks.get('places') ?? 0;
  return {
    promise: `at most ${PLACES} requests at the same time, over all replicas`,
    checked: upstream.runsOf('places', '/v1/chat/completions').length,
    problems: peak > PLACES ? [`${peak} at the same time`] : [],
  };
}

/** One request of each replica may exceed a budget, and what killed replicas could not report. */
function checkBudget({ replicas, budgetTokens }, { book, weather, ledger }) {
  const spent = ledger.sum('budget', 'tokens');
  const kills = replicas.flatMap(({ kills: times }) => times);
  const unreported = kills.reduce((sum, killedMs) => {
    const [away] = weather.during(AWAY, killedMs - REPORT_MS, killedMs);
    const fromMs = (away?.fromMs ?? killedMs) - REPORT_MS;
    return (
      sum +
      (book.served.get('budget') ?? []).filter((each) => each.endedMs > fromMs && each.sentMs < killedMs)
        .length
    );
  }, 0);
  const most = budgetTokens + (replicas.length + unreported) * TOKENS_PER_BUDGET_CHAT;
  return {
    promise: `at most ${budgetTokens} tokens a day and one request of each replica (${spent} spent)`,
    checked: spent / TOKENS_PER_BUDGET_CHAT,
    problems: spent > most ? [`${spent} tokens spent, at most ${most} expected`] : [],
  };
}

function checkOrder({ upstream }, { book, weather, queueWatch }) {
  const images = (book.served.get('art') ?? [])
    .map(({ tag, sentMs }) => ({
      tag,
      sentMs,
      startMs: upstream.runs.get(tag)?.find(({ isWhole }) => isWhole)?.startedMs,
    }))
    .sort((one, other) => one.sentMs - other.sentMs);
  const problems = images.flatMap((image, index) => {
    if (weather.during(HINDRANCES, image.sentMs - QUEUED_MS, image.sentMs + QUEUED_MS).length > 0) return [];
    const later = images
      .slice(index + 1)
      .filter(({ sentMs }) => sentMs > image.sentMs + QUEUED_MS && sentMs < image.sentMs + LONGEST_WAIT_MS);
    return later
      .filter(({ startMs }) => startMs < image.startMs)
      .map(({ tag }) => `${tag} overtook ${image.tag}`);
  });
  return {
    promise: 'images of a stack are painted one after the other, in the order in which they came',
    checked: images.length,
    problems: [...problems, ...queueWatch.problems],
  };
}
