import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { judgeAbsent, judgeDocument } from './real-document-score.mjs';
import { SETS } from './real-document-sets.mjs';
import { startServer } from './server-process.mjs';

const gatewayScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const MODELS = { models: 'smollm2-135m-instruct', 'ocr-models': 'pp-ocrv6-small' };
const FETCH_MS = 300_000;
const [WAIT_MS, MOST_WAITS] = [1_000, 120];
const [EVERY, EVERY_QUICKLY, MOST_WRITTEN] = [10, 100, 3];

/** Ways to extract, each in a gateway of its own: with settings of its text engine (`engine`) and environment variables (`env`). */
const PEERS = [
  { name: 'gateway', engine: { extraction: 'grounded' } },
  { name: 'model alone', engine: { extraction: 'direct' }, isSlow: true },
];
const MEASURED_PARTS = ['fields', 'lists', 'absent'];

/**
 * Real receipts and invoices, from pixels or PDFs to JSON through a gateway: the share of right fields, cells of line items, and
 * fields that are not there and are answered null. Without options: every tenth receipt of the development set. `--held-out` runs
 * the sets that are held out, once everything else is settled, and shows figures alone; `--every=N` takes every Nth receipt;
 * `--set=WORDS` and `--peers=WORDS` only sets and peers with these words in their names; `--misses` shows what was wrong, for development sets alone.
 */
export async function run({ quick }) {
  const isHeldOut = process.argv.includes('--held-out');
  const every = Number(optionValue('--every') ?? (quick ? EVERY_QUICKLY : isHeldOut ? 1 : EVERY));
  const sets = [];
  const wanted = optionValue('--set') ?? '';
  for (const set of SETS.filter(({ name, ...one }) => one.isHeldOut === isHeldOut && name.includes(wanted)))
    sets.push({ ...set, documents: await set.read(every) });
  if (sets.every(({ documents }) => documents.length === 0)) return { isSkipped: true };
  const peers = PEERS.filter(({ name }) => name.includes(optionValue('--peers') ?? ''));
  console.log('```text');
  try {
    for (const peer of peers) await withGateway(peer, (gateway) => measurePeer(peer, sets, gateway));
  } finally {
    console.log('```');
  }
}

async function measurePeer({ name, isSlow = false }, sets, gateway) {
  for (const set of sets) {
    // A small model takes minutes to write what it makes up.
    const documents = set.documents.slice(0, isSlow ? MOST_WRITTEN : undefined);
    if (documents.length === 0) continue;
    const judged = [];
    const [startedMs, startedUs] = [performance.now(), gateway.cpuUs()];
    let failures = 0;
    for (const document of documents) {
      const data = await extract({ ...document, isHeldOut: set.isHeldOut }, gateway);
      if (data === undefined) failures += 1;
      judged.push(...judgeDocument(document, data).map((leaf) => ({ ...leaf, name: document.name })));
    }
    const seconds = (performance.now() - startedMs) / 1_000 / documents.length;
    const cpuSeconds = (gateway.cpuUs() - startedUs) / 1e6 / documents.length;
    const cost = `${cpuSeconds.toFixed(1)} s of CPU, ${seconds.toFixed(1)} s each`;
    const failed = failures === 0 ? '' : `, ${failures} failed`;
    console.log(`${name}, ${set.name}: ${documents.length} documents, ${cost}${failed}`);
    judged.push(...(isSlow ? [] : await absentLeaves(documents, set, gateway)));
    for (const part of MEASURED_PARTS)
      reportPart(
        part,
        judged.filter((leaf) => leaf.part === part),
      );
    if (process.argv.includes('--misses') && !set.isHeldOut) showMisses(judged);
  }
}

async function absentLeaves(documents, { isHeldOut }, gateway) {
  const leaves = [];
  for (const document of documents.filter(({ schemaWithAbsent }) => schemaWithAbsent !== undefined)) {
    const data = await extract({ ...document, schema: document.schemaWithAbsent, isHeldOut }, gateway);
    leaves.push(...judgeAbsent(document, data).map((leaf) => ({ ...leaf, name: document.name })));
  }
  return leaves;
}

function reportPart(part, leaves) {
  if (leaves.length === 0) return;
  const title = part === 'absent' ? 'not there, answered null' : part;
  const names = part === 'absent' ? [] : [...new Set(leaves.map(({ field }) => field))];
  const details = names.map((name) => {
    const own = leaves.filter(({ field }) => field === name);
    return `${name} ${count(own, 'isNear')} of ${own.length}`;
  });
  console.log(
    `  ${title}: ${share(leaves, 'isRight')} exact, ${share(leaves, 'isNear')} near of ${leaves.length}${details.length === 0 ? '' : `; near: ${details.join(', ')}`}`,
  );
}

function count(leaves, property) {
  return leaves.filter((leaf) => leaf[property]).length;
}

function share(leaves, property) {
  return `${((100 * count(leaves, property)) / leaves.length).toFixed(1)} %`;
}

function showMisses(leaves) {
  for (const { name, field, value, right, isNear } of leaves)
    if (!isNear) console.log(`  ${name} ${field}: ${JSON.stringify(value)} for ${JSON.stringify(right)}`);
}

/** The data of a document; undefined if the gateway refused it. */
async function extract(document, gateway) {
  const response = await post(document, gateway);
  if (response.ok) return (await response.json()).data;
  const { detail } = await response.json().catch(() => ({}));
  console.log(`  refused with ${response.status}${document.isHeldOut ? '' : `: ${detail}`}`);
  return undefined;
}

async function post({ route, bytes, schema, name }, { url, key }) {
  for (let wait = 0; ; wait += 1) {
    const body = new FormData();
    body.append('file', new Blob([bytes]), name.split('/').at(-1));
    body.append('schema', JSON.stringify(schema));
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/v1/${route}/extract`, { method: 'POST', headers, body });
    // The models are still being loaded.
    if (response.status !== 503 || wait === MOST_WAITS) return response;
    await response.arrayBuffer();
    await setTimeout(WAIT_MS);
  }
}

/** A gateway on the embedded engines, in a folder of its own. */
async function withGateway({ engine, env: switches = {} }, use) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    await installModels(join(folder, 'data'));
    const text = { local: { kind: 'llama', model: MODELS.models, threads: 1, ...engine } };
    const plans = {
      max: {
        extraction: {
          files: 10,
          pages: 50,
          document_bytes: 50_000_000,
          image_bytes: 50_000_000,
          megapixels: 40,
        },
      },
    };
    const stacks = [{ id: 'bench', account: 'bench', plan: 'max', keys: [{ id: 'bench', secret: KEY }] }];
    await writeFile(join(folder, 'stackgate.yaml'), JSON.stringify({ engines: { text }, plans, stacks }));
    const env = { STACKGATE_PORT: '0', STACKGATE_DATA: join(folder, 'data'), ...switches };
    const gateway = await startServer(gatewayScript, { cwd: folder, args: ['serve'], env });
    try {
      await use(Object.assign(gateway, { key: KEY }));
    } finally {
      await gateway.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const KEY = 'sk-bench-real-documents-0123456789abcdef';

async function installModels(dataDir) {
  const { ModelStore } = await import('../dist/catalogue/model-store.js');
  await mkdir(join(dataDir, 'models'), { recursive: true });
  for (const [kept, model] of Object.entries(MODELS)) {
    const home = kept === 'models' ? cache : join(cache, kept);
    const store = new ModelStore({ dataDir: home, environment: process.env });
    await store.install(model, { signal: AbortSignal.timeout(FETCH_MS) });
    await cp(join(home, 'models', model), join(dataDir, 'models', model), { recursive: true });
  }
}

function optionValue(option) {
  return process.argv.find((one) => one.startsWith(`${option}=`))?.slice(option.length + 1);
}
