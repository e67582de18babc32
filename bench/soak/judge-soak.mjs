import { markdownTable, median } from '../statistics.mjs';
import { slopePerMinute } from './soak-watch.mjs';

// Idle sockets, and files of restarted engines.
const SPARE_FILES = 40;
const SPARE_THREADS = 8;
// In shorter runs the slope is due to caches filling up.
const SLOPE_FROM_MINUTES = 5;
const MOST_MB_PER_MINUTE = 2;
const SHOWN_PROBLEMS = 20;

/** The report of a soak, and its problems. */
export function judgeSoak({ counts, unexpected, kills, rude, samples, before, after }) {
  const minutes = samples.at(-1)?.minute ?? 0;
  const slope = slopePerMinute(samples);
  const problems = [
    ...unexpected.slice(0, SHOWN_PROBLEMS).map((line) => `unexpected: ${line}`),
    ...(after.inFlight > 0 ? [`${after.inFlight} requests are still in flight`] : []),
    ...(after.waiting > 0 ? [`${after.waiting} still wait in a queue`] : []),
    ...more('open files', before.openFiles + SPARE_FILES, after.openFiles),
    ...more('threads', before.threads + SPARE_THREADS, after.threads),
    ...more('child processes', before.children, after.children),
    ...more('temporary files', before.temporaryFiles, after.temporaryFiles),
    ...(minutes >= SLOPE_FROM_MINUTES ? more('MB more each minute', MOST_MB_PER_MINUTE, slope) : []),
  ];
  return {
    problems,
    text: report({ counts, kills, rude, samples, before, after, slope, minutes, problems, unexpected }),
  };
}

/** Stalls of the event loop, beside the time its thread waited for a core: a stall without a wait is the gateway's own. */
function stalls(samples) {
  const intervals = samples.slice(1).map(({ loopLagMaxMs, coreWaitMs }, index) => ({
    stalledMs: loopLagMaxMs,
    ownMs: Math.max(0, loopLagMaxMs - (coreWaitMs - samples[index].coreWaitMs)),
  }));
  const longest = (key) => Math.max(0, ...intervals.map((interval) => interval[key]));
  const usual = Math.round(median(intervals.map(({ stalledMs }) => stalledMs)) ?? 0);
  return `Longest stall of its event loop: ${longest('stalledMs')} ms, ${longest('ownMs')} ms without the time in which the machine had no core for it; the median of the longest in each sample: ${usual} ms.`;
}

function more(what, most, found) {
  return found > most ? [`${what}: ${found}, at most ${most} expected`] : [];
}

function report({ counts, kills, rude, samples, before, after, slope, minutes, problems, unexpected }) {
  const byName = new Map();
  for (const [id, count] of counts) {
    const [name, status] = id.split('\t');
    byName.set(name, [...(byName.get(name) ?? []), `${status} × ${count}`]);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const keys = Object.keys(before).filter((key) => key !== 'coreWaitMs');
  const worst = (key) => Math.max(...samples.map((sample) => sample[key]));
  return [
    `${total} requests and ${rude} rude clients in ${minutes.toFixed(1)} minutes, ${kills.length} engine processes killed, ${unexpected.length} answers unexpected.`,
    markdownTable(
      ['request', 'answers'],
      [...byName].map(([name, answers]) => [name, answers.toSorted().join(', ')]),
    ),
    markdownTable(
      ['', 'before', 'highest', 'after'],
      keys.map((key) => [key, before[key], worst(key), after[key]]),
    ),
    `Memory of the gateway's own process: ${slope.toFixed(2)} MB more each minute, over the later two thirds.`,
    stalls(samples),
    problems.length === 0
      ? 'Nothing leaked.'
      : `Problems:\n${problems.map((line) => `- ${line}`).join('\n')}`,
  ].join('\n\n');
}
