// `npm run fuzz -- --each 2000`: spoiled PDFs, pictures, HTML and JSON Schemas against a running gateway. Each must be answered in time,
// with a status that its route documents, and the gateway must be what it was before. `--seed N` repeats a choice, `--only NAME` one kind;
// `--record` writes the table to RESULTS.md, `--without-ocr` fetches no model, so that pictures are looked at but not read.
import { setTimeout as sleep } from 'node:timers/promises';
import { treeRssMb } from '../process-tree.mjs';
import { captured, recordResults } from '../record-results.mjs';
import { installOcr } from '../soak/ocr-model.mjs';
import { seededRandom } from '../soak/seeded-random.mjs';
import { takeSample } from '../soak/soak-watch.mjs';
import { openWorld } from '../soak/soak-world.mjs';
import { markdownTable, quantile } from '../statistics.mjs';
import { fuzzSubjects } from './fuzz-subjects.mjs';

const CLIENTS = 3;
/** A file with spoiled text is read by OCR page by page, for which the gateway allows 240 s. */
const MOST_SECONDS = 250;
const MOST_MB = 6_000;
const SHOWN_PROBLEMS = 20;
const QUIET_BOUND_MS = 20_000;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : process.argv[at + 1];
};
const has = (name) => process.argv.includes(`--${name}`);
const each = Number(option('each', 2_000));
const seed = Number(option('seed', 1));
const only = option('only');
const world = await openWorld(has('without-ocr') ? undefined : installOcr);
const problems = [];
let mostMb = 0;
let mostMbOfAll = 0;
const watching = setInterval(() => {
  mostMb = Math.max(mostMb, treeRssMb(world.gateway.pid));
}, 200);
try {
  world.upstream.script(() => ({ text: '{"total": "12.00"}' }));
  const subjects = await fuzzSubjects({ print, model: world.upstream.model });
  // After the first print, so that the browser's folder is included.
  const before = await takeSample(world);
  const rows = [];
  for (const subject of subjects) {
    if (only === undefined || subject.name === only) rows.push(await fuzz(subject));
  }
  if (rows.length === 0) problems.push(`There is no kind "${only}"`);
  const after = await quietSample();
  if (after.inFlight > 0) problems.push(`${after.inFlight} requests are still in flight`);
  if (after.temporaryFiles > before.temporaryFiles)
    problems.push(`${after.temporaryFiles - before.temporaryFiles} temporary files are left`);
  if (mostMbOfAll > MOST_MB) problems.push(`${Math.round(mostMbOfAll)} MB of memory`);
  const { text } = await captured(() => report(rows, after));
  if (has('record')) await recordResults('fuzz', { text, plots: [] });
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  clearInterval(watching);
  await world.close();
}

async function fuzz({ name, allowed, make }) {
  // Restarted per kind, so that one alone gives the same as among others.
  const random = seededRandom(seed);
  const seconds = [];
  const counts = {};
  let sent = 0;
  mostMb = 0;
  const client = async () => {
    while (sent < each) {
      sent += 1;
      const number = sent;
      const startedMs = performance.now();
      const { status, body } = await send(make(random));
      seconds.push((performance.now() - startedMs) / 1000);
      counts[status] = (counts[status] ?? 0) + 1;
      if (!allowed.has(status)) problems.push(`${name} ${number}: ${status} ${body.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  mostMbOfAll = Math.max(mostMbOfAll, mostMb);
  console.error(`${name}: ${seconds.length} answered`);
  const answers = Object.entries(counts).map(([status, count]) => `${status} × ${count}`);
  return [
    name,
    answers.join(', '),
    quantile(seconds, 0.5).toFixed(3),
    quantile(seconds, 0.99).toFixed(2),
    Math.max(...seconds).toFixed(2),
    Math.round(mostMb),
  ];
}

function report(rows, after) {
  console.log(
    `${each} of each, ${CLIENTS} at a time, seed ${seed}; memory is that of all processes together.\n`,
  );
  console.log(
    markdownTable(['spoiled', 'answers', 'median, s', '99 %, s', 'longest, s', 'MB at most'], rows),
  );
  console.log(
    `\nAfter it: ${after.inFlight} requests in flight, ${after.temporaryFiles} temporary files, ${after.treeRssMb} MB.`,
  );
  console.log(
    problems.length === 0
      ? 'No problems.'
      : `${problems.length} problems:\n${problems.slice(0, SHOWN_PROBLEMS).join('\n')}`,
  );
}

/** A sample once everything is idle, or after a time limit. */
async function quietSample() {
  const endsAt = Date.now() + QUIET_BOUND_MS;
  for (;;) {
    const sample = await takeSample(world);
    if (sample.inFlight === 0 || Date.now() > endsAt) return sample;
    await sleep(200);
  }
}

async function send({ path, headers = {}, body }) {
  try {
    const response = await fetch(world.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, ...headers },
      body,
      signal: AbortSignal.timeout(MOST_SECONDS * 1000),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    return { status: error.name, body: String(error.cause ?? error) };
  }
}

async function print(html) {
  const response = await fetch(`${world.gateway.url}/v1/documents/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  if (!response.ok)
    throw new Error(`the gateway prints nothing: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}
