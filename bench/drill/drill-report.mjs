import { markdownTable, median } from '../statistics.mjs';

const SHOWN_PROBLEMS = 12;

/** The report of a drill. */
export function drillReport({ world, book, weather, results, minutes, seed }) {
  const requests = [...book.sent.values()].reduce((sum, count) => sum + count, 0);
  const starts = world.replicas.flatMap(({ startsMs }) => startsMs).toSorted((one, other) => one - other);
  const problems = results.flatMap(({ promise, problems: found }) =>
    found.slice(0, SHOWN_PROBLEMS).map((line) => `- ${promise}: ${line}`),
  );
  return [
    `${requests} requests in ${minutes.toFixed(1)} minutes with seed ${seed}, ${weather.history.length} faults. The clock was stepped by ${world.clock.kind}, the disk filled in ${world.disk.kind}. A replica was ready ${seconds(median(starts))} s after its start, at the latest after ${seconds(starts.at(-1))} s.`,
    markdownTable(['fault', 'times', 'seconds'], faultRows(weather.history)),
    markdownTable(['request', 'answers'], answerRows(book.counts)),
    markdownTable(
      ['promise', 'checked', 'broken'],
      results.map(({ promise, checked, problems: found }) => [promise, checked, found.length]),
    ),
    problems.length === 0 ? 'Every promise was kept.' : `Problems:\n${problems.join('\n')}`,
  ].join('\n\n');
}

function faultRows(history) {
  const names = [...new Set(history.map(({ name }) => name))].sort();
  return names.map((name) => {
    const spells = history.filter((spell) => spell.name === name);
    const lengthMs = spells.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
    return [name, spells.length, Math.round(lengthMs / 1000)];
  });
}

function answerRows(counts) {
  const byKind = new Map();
  for (const [id, count] of counts) {
    const [kind, status] = id.split('\t');
    byKind.set(kind, [...(byKind.get(kind) ?? []), `${status} × ${count}`]);
  }
  return [...byKind].map(([kind, answers]) => [kind, answers.toSorted().join(', ')]);
}

function seconds(ms) {
  return ((ms ?? 0) / 1000).toFixed(1);
}
