// Requests with an Idempotency-Key run once, and get the same answer each time.
import { hashOf } from './drill-requests.mjs';
import { keyOf } from './stacks.mjs';

const PATIENCE_MS = 60_000;
const MOST_REPLAYS = 400;
/** Past its lease a frozen replica counts as dead, as the documentation says. */
const LEASE_MS = 30_000;
/** How long a replica tries to keep an answer. */
const LATE_MS = 60_000;
const DATABASE_AWAY = [
  'the database restarted',
  'connections to the database cut',
  'connections to the database silent',
];
const STORAGE_AWAY = ['S3 failing', 'S3 slow', ...DATABASE_AWAY];

export async function checkOnce({ upstream, replicas }, { book, weather }) {
  const answered = book.named.filter(({ answers }) => answers.length > 0);
  const runsOf = (tag) => (upstream.runs.get(tag) ?? []).filter(({ isProbe }) => !isProbe);
  const withRuns = book.named.map((named) => ({ named, runs: runsOf(named.tag) }));
  const explain = (pair) => excuseOf(pair, { replicas, weather });
  const again = withRuns.filter(({ runs }) => runs.filter(({ isWhole }) => isWhole).length > 1);
  const atOnce = withRuns.filter(({ runs }) => runs.some((run, index) => overlaps(run, runs[index - 1])));
  const mayBeForgotten = (named) => wasLateAndKilled(named, { replicas, weather });
  const others = answered.filter(({ answers }) => new Set(answers.map(({ hash }) => hash)).size > 1);
  const excused = again.filter((pair) => explain(pair) !== undefined).length;
  return [
    {
      promise: `a request with an Idempotency-Key runs once (${excused} ran again: their first run was refused with 5xx, or its replica was killed or frozen)`,
      checked: book.named.length,
      problems: [
        ...again
          .filter((pair) => explain(pair) === undefined)
          .map(
            ({ named, runs }) =>
              `${named.tag} (${named.kind.name}) ran ${runs.length} times: ${timesOf(named, runs)}`,
          ),
        ...atOnce
          .filter((pair) => explain(pair) === undefined)
          .map(({ named }) => `${named.tag} ran twice at once`),
      ],
    },
    {
      promise: 'its answer stays the same, byte by byte',
      checked: answered.reduce((sum, { answers }) => sum + answers.length, 0),
      problems: others
        .filter((named) => !mayBeForgotten(named))
        .map(({ tag, kind }) => `${tag} (${kind.name}) was answered differently`),
    },
    await checkReplays(replicas, { answered, mayBeForgotten }),
  ];
}

function overlaps(run, before) {
  return before !== undefined && run.startedMs < (before.endedMs ?? Number.POSITIVE_INFINITY) - 1;
}

function timesOf({ tries, answers }, runs) {
  const seconds = (ms) => (ms / 1000).toFixed(2);
  const shown = runs.map(
    (run) => `run ${seconds(run.startedMs)}-${seconds(run.endedMs)}${run.isWhole ? '' : ' failed'}`,
  );
  const asked = tries.map(
    (each) => `${each.replica} ${seconds(each.sentMs)}-${seconds(each.endedMs)} ${each.status}`,
  );
  return [...shown, ...asked, ...answers.map(({ endedMs }) => `answered ${seconds(endedMs)}`)].join(', ');
}

/** The first run ended in a refusal that is not kept; or its replica died, or stood still for longer than its lease. */
function excuseOf({ named, runs }, { replicas, weather }) {
  const fromMs = runs[0].startedMs;
  const untilMs = runs.at(-1).startedMs;
  const asked = new Set(named.tries.filter(({ sentMs }) => sentMs < untilMs).map(({ replica }) => replica));
  const suspects = replicas.filter(({ name }) => asked.has(name));
  const killed = suspects.find(({ kills }) =>
    kills.some((killedMs) => killedMs > fromMs && killedMs < untilMs),
  );
  const frozen = weather
    .during(['a replica frozen'], fromMs, untilMs)
    .find((spell) => spell.untilMs - spell.fromMs > LEASE_MS && asked.has(spell.detail));
  const refused = named.tries.find(
    (each) => isFailure(each) && each.endedMs > fromMs && each.endedMs < untilMs,
  );
  // Its client may have left before the refusal.
  const unstored = named.kind.kept && weather.during(STORAGE_AWAY, fromMs, untilMs)[0];
  return refused ?? killed ?? frozen ?? unstored;
}

/** A refusal that is not kept, or a stream that ended with an error. */
function isFailure({ status, isWhole }) {
  return status >= 500 || (status === 200 && !isWhole);
}

/** Answered while the database was away, by a replica that was killed before it could keep the answer: such a one may be forgotten. */
function wasLateAndKilled({ answers: [first] }, { replicas, weather }) {
  const { kills } = replicas.find(({ name }) => name === first.replica);
  const killedMs = kills.find((ms) => ms > first.endedMs && ms < first.endedMs + LATE_MS);
  if (first.isReplayed || killedMs === undefined) return false;
  return weather.during(DATABASE_AWAY, first.sentMs, first.endedMs).length > 0;
}

async function checkReplays(replicas, { answered, mayBeForgotten }) {
  const step = Math.max(1, Math.ceil(answered.length / MOST_REPLAYS));
  const sample = answered.filter((_, index) => index % step === 0);
  const problems = [];
  let forgotten = 0;
  for (const [index, named] of sample.entries()) {
    const replica = replicas[index % replicas.length];
    const problem = await replayProblem(replica, named).catch((error) => String(error.cause ?? error));
    if (problem !== undefined && mayBeForgotten(named)) forgotten += 1;
    else if (problem !== undefined)
      problems.push(`${named.tag} (${named.kind.name}) at ${replica.name}: ${problem}`);
  }
  const promise = `every replica has the answers of all (but ${forgotten} whose replica was killed while the database was away)`;
  return { promise, checked: sample.length, problems };
}

async function replayProblem(replica, { tag, kind, key, answers }) {
  const { path, headers, ...init } = kind.make(tag);
  const response = await fetch(replica.url + path, {
    ...init,
    headers: { authorization: `Bearer ${keyOf('once')}`, ...headers, 'idempotency-key': key },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const hash = hashOf(Buffer.from(await response.arrayBuffer()));
  if (response.headers.get('idempotent-replayed') !== 'true') return `ran again, with ${response.status}`;
  return hash === answers[0].hash ? undefined : 'another answer';
}
