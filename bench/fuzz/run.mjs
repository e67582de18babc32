// `npm run fuzz -- --each 2000`: spoiled PDFs, pictures, HTML and JSON Schemas against a running gateway. Each must be answered in time,
// with a status that its route documents, and the gateway must be what it was before. `--seed N` repeats a choice.
import { treeRssMb } from '../process-tree.mjs';
import { seededRandom } from '../soak/seeded-random.mjs';
import { takeSample } from '../soak/soak-watch.mjs';
import { openWorld } from '../soak/soak-world.mjs';
import { markdownTable, quantile } from '../statistics.mjs';
import { fuzzSubjects } from './fuzz-subjects.mjs';

const CLIENTS = 3;
const MOST_SECONDS = 75;
const MOST_MB = 6_000;
const SHOWN_PROBLEMS = 20;

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};
const each = option('each', 2_000);
const random = seededRandom(option('seed', 1));
const world = await openWorld();
const problems = [];
let mostMb = 0;
const watching = setInterval(() => {
  mostMb = Math.max(mostMb, treeRssMb(world.gateway.pid));
}, 200);
try {
  world.upstream.script(() => ({ text: '{"total": "12.00"}' }));
  const rows = [];
  for (const subject of await fuzzSubjects({ print })) rows.push(await fuzz(subject));
  const after = await takeSample(world);
  if (after.inFlight > 0) problems.push(`${after.inFlight} requests are still in flight`);
  if (after.temporaryFiles > 0) problems.push(`${after.temporaryFiles} temporary files are left`);
  if (mostMb > MOST_MB) problems.push(`${Math.round(mostMb)} MB of memory`);
  console.log(markdownTable(['spoiled', 'answers', 'median s', 'longest s'], rows));
  console.log(`\nMost memory of all processes together: ${Math.round(mostMb)} MB.`);
  console.log(
    problems.length === 0 ? 'No problems.' : `Problems:\n${problems.slice(0, SHOWN_PROBLEMS).join('\n')}`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  clearInterval(watching);
  await world.close();
}

async function fuzz({ name, allowed, make }) {
  const seconds = [];
  const counts = {};
  let left = each;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.now();
      const { status, body } = await send(make(random));
      seconds.push((performance.now() - startedMs) / 1000);
      counts[status] = (counts[status] ?? 0) + 1;
      if (!allowed.has(status)) problems.push(`${name}: ${status} ${body.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const answers = Object.entries(counts).map(([status, count]) => `${status} × ${count}`);
  return [name, answers.join(', '), quantile(seconds, 0.5).toFixed(3), Math.max(...seconds).toFixed(2)];
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
