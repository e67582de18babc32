import { markdownTable, median, quantile } from '../statistics.mjs';
import { QUIET_KINDS } from './quiet-tenant.mjs';

/** Limits for the effect on the quiet tenant. */
export const AIMS = { ratio: 3, mainMb: 1_500, healthMs: 1_000 };
const NONE = '–';

/** Prints the quiet tenant's results alone (all such phases together) and under each attack, and the missed aims. */
export function printTables(rounds) {
  const alone = { name: 'alone', answers: joined(rounds), peak: highest(rounds), tally: {} };
  const rows = [alone, ...rounds.map(({ name, attacked }) => ({ name, ...attacked }))];
  const usual = Object.fromEntries(QUIET_KINDS.map((kind) => [kind, figures(alone.answers[kind])]));
  console.log(
    `\nThe quiet tenant's latency in ms, counted from when a request was due: p50 / p95 of what was answered 200 or not at all (30 s), in brackets p95 against alone (aim: at most ${AIMS.ratio})\n`,
  );
  console.log(
    markdownTable(
      ['', ...QUIET_KINDS],
      rows.map(({ name, answers }) => [
        name,
        ...QUIET_KINDS.map((kind) => latencyCell(figures(answers[kind]), usual[kind], name === 'alone')),
      ]),
    ),
  );
  console.log(
    `\nAims: no 5xx, no 429 and nothing unanswered for the quiet tenant; the main process at most ${AIMS.mainMb} MB; \`/healthz\` under ${AIMS.healthMs} ms. Cores used are CPU time by the clock, of the gateway with all its processes and of the noisy tenant, whose process has the lowest priority (nice 19): in truth it has a machine of its own\n`,
  );
  console.log(
    markdownTable(
      [
        '',
        'quiet: asked',
        '5xx',
        '429',
        'other or none',
        'peak RSS, main, MB',
        'all processes',
        'cores, gateway',
        'cores, noisy',
        '/healthz, longest, ms',
        'longest stall of who measures, ms',
        'what the noisy one was answered',
      ],
      rows.map(stateRow),
    ),
  );
  const misses = rows.slice(1).flatMap((row) => missesOf(row, usual));
  console.log(
    misses.length === 0
      ? '\nAll aims are reached.'
      : `\nMissed:\n\n${misses.map((line) => `- ${line}`).join('\n')}`,
  );
}

function joined(rounds) {
  return Object.fromEntries(
    QUIET_KINDS.map((kind) => [kind, rounds.flatMap(({ alone }) => alone.answers[kind])]),
  );
}

function highest(rounds) {
  const most = (key) => Math.max(...rounds.map(({ alone }) => alone.peak[key]));
  const keys = ['mainMb', 'treeMb', 'cores', 'healthMs', 'ownStallMs'];
  return Object.fromEntries(keys.map((key) => [key, most(key)]));
}

/** Only successful answers count as fast; a missing answer counts as slow. */
function figures(answers) {
  const times = answers.filter(({ status }) => status === 200 || status === 0).map(({ ms }) => ms);
  return times.length === 0 ? undefined : { p50: median(times), p95: quantile(times, 0.95) };
}

function latencyCell(found, usual, isAlone) {
  if (found === undefined) return NONE;
  const text = `${found.p50.toFixed(0)} / ${found.p95.toFixed(0)}`;
  if (isAlone || usual === undefined) return text;
  return `${text} (${(found.p95 / usual.p95).toFixed(1)})`;
}

function stateRow({ name, answers, peak, tally, attackerCores }) {
  const counts = countsOf(answers);
  const said = Object.entries(tally).map(([status, count]) => `${status} × ${count}`);
  return [
    name,
    counts.asked,
    counts.failed,
    counts.limited,
    counts.other,
    peak.mainMb.toFixed(0),
    peak.treeMb.toFixed(0),
    peak.cores.toFixed(2),
    attackerCores?.toFixed(2) ?? NONE,
    peak.healthMs.toFixed(0),
    peak.ownStallMs.toFixed(0),
    said.join(', ') || NONE,
  ];
}

function countsOf(answers) {
  const statuses = Object.values(answers)
    .flat()
    .map(({ status }) => status);
  const count = (isSuch) => statuses.filter(isSuch).length;
  const failed = count((status) => status >= 500);
  const limited = count((status) => status === 429);
  const fine = count((status) => status === 200);
  return { asked: statuses.length, failed, limited, other: statuses.length - failed - limited - fine };
}

function missesOf({ name, answers, peak, templates }, usual) {
  const { failed, limited, other } = countsOf(answers);
  const slow = QUIET_KINDS.flatMap((kind) => {
    const found = figures(answers[kind]);
    if (usual[kind] === undefined) return [`${kind} was not served even alone`];
    if (found === undefined) return [`${kind} was never served`];
    const ratio = found.p95 / usual[kind].p95;
    return ratio > AIMS.ratio ? [`${kind} takes ${ratio.toFixed(1)} times as long`] : [];
  });
  const misses = [
    ...slow,
    ...(failed > 0 ? [`${failed} × 5xx (${statusesOf(answers)})`] : []),
    ...(limited > 0 ? [`${limited} × 429`] : []),
    ...(other > 0 ? [`${other} answered otherwise or not at all`] : []),
    ...(peak.mainMb > AIMS.mainMb ? [`${peak.mainMb.toFixed(0)} MB`] : []),
    ...(peak.healthMs >= AIMS.healthMs ? [`/healthz took ${peak.healthMs.toFixed(0)} ms`] : []),
    ...(templates > 0 ? [`${templates} templates reached the model server`] : []),
  ];
  return misses.length === 0 ? [] : [`${name}: ${misses.join('; ')}`];
}

/** Which kinds failed and how. */
function statusesOf(answers) {
  return QUIET_KINDS.flatMap((kind) => {
    const failed = answers[kind].filter(({ status }) => status >= 500).map(({ status }) => status);
    return failed.length === 0 ? [] : [`${kind} ${[...new Set(failed)].join(' ')}`];
  }).join(', ');
}
