// The pages of the console over a full embedded database: how long each of their requests takes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillConsoleDatabase } from './console-database.mjs';
import { treeCpuUs } from './process-tree.mjs';
import { markdownTable, median } from './statistics.mjs';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const CEILING_MS = 300;
const FULL = {
  stacks: 200,
  keys: 10_000,
  usage: 100_000,
  images: 100_000,
  documents: 5_000,
  responses: 20_000,
  audit: 20_000,
};
const QUICK = {
  stacks: 20,
  keys: 1_000,
  usage: 10_000,
  images: 10_000,
  documents: 500,
  responses: 2_000,
  audit: 2_000,
};
/** Rounds after the first that are not counted: the code of the gateway is compiled while it runs. */
const WARM_UPS = 1;

/** The requests of each page, as the console sends them. */
const pages = [
  ['Overview', ['/overview']],
  ['Overview of a stack', ['/overview?stack=stack-7']],
  ['Stacks', ['/stacks?limit=200']],
  ['Stacks, searched', ['/stacks?q=19']],
  ['Keys, first page', ['/keys?limit=200']],
  ['Keys, searched', ['/keys?q=key-99']],
  ['A stack', ['/stacks/stack-7?include=keys,limits&limit=200']],
  ['Usage, by model', ['/usage?group_by=model&limit=200&days=true']],
  ['Usage, by stack', ['/usage?group_by=stack&limit=200&days=true']],
  ['Usage, by key', ['/usage?group_by=stack,key&limit=200&days=true']],
  ['Usage of a stack, by key', ['/usage?group_by=stack,key&limit=200&stack=stack-7&days=true']],
  ['Requests', ['/requests?limit=200']],
  ['Images, all', ['/images?limit=50']],
  ['Images of a stack', ['/images?limit=50&stack=stack-7']],
  ['Knowledge', ['/knowledge?limit=100']],
  ['Responses', ['/responses?limit=100']],
  ['Audit', ['/audit?limit=100']],
  ['Audit of an action', ['/audit?limit=100&action=key.create&actor=ada']],
];
/** Files to download, which no page waits for. */
const files = [
  ['CSV by day and model', ['/usage?group_by=day,model&format=csv']],
  ['CSV by day and key, 100,000 lines', ['/usage?group_by=day,stack,key&format=csv']],
];
/** Lists that are read to a deep page. */
const deep = [
  ['Keys, page 40', '/keys?limit=200', 40],
  ['Images, page 100', '/images?limit=200', 100],
];

export async function run({ quick = false } = {}) {
  const sizes = quick ? QUICK : FULL;
  const rounds = quick ? 3 : 15;
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-bench-'));
  try {
    await fillConsoleDatabase(folder, sizes);
    const gateway = await startGateway(folder);
    try {
      const token = await makeToken(folder);
      const ask = asker(gateway.url, token);
      const cpuUs = () => treeCpuUs(gateway.process.pid);
      const rows = [];
      for (const [name, paths] of pages) rows.push(await measured(name, paths, { ask, rounds, cpuUs }));
      for (const [name, path, page] of quick ? [] : deep)
        rows.push(await measured(name, [await nthPage(ask, path, page)], { ask, rounds, cpuUs }));
      print(sizes, rows);
      const downloads = [];
      for (const [name, paths] of files)
        downloads.push(await measured(name, paths, { ask, rounds: 3, cpuUs }));
      printFiles(downloads);
    } finally {
      gateway.process.kill('SIGTERM');
      await once(gateway.process, 'exit');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(sizes, rows) {
  const counts = Object.entries(sizes).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  console.log(
    `Embedded database with ${counts.join(', ')}. All requests of a page together, one after the other. First: the first opening of the page after the gateway started. After one more round that is not counted, the median and the slowest of the others. CPU is that of the gateway's processes, per round. The load of the machine, others included, was ${loadavg()[0].toFixed(1)}.\n`,
  );
  console.log(
    markdownTable(
      ['page', 'requests', 'CPU, ms', 'first, ms', 'median, ms', 'slowest, ms', `of ${CEILING_MS} ms`],
      rows.map(({ name, requests, cpuMs, first, typical, slowest }) => [
        name,
        String(requests),
        cpuMs.toFixed(0),
        first.toFixed(0),
        typical.toFixed(1),
        slowest.toFixed(1),
        `${Math.round((slowest / CEILING_MS) * 100)} %`,
      ]),
    ),
  );
  sayLate('at the first opening', rows, ({ first }) => first);
  sayLate('in the slowest round', rows, ({ slowest }) => slowest);
}

function sayLate(when, rows, timeOf) {
  const late = rows.filter((row) => timeOf(row) > CEILING_MS);
  const names = late.map((row) => `${row.name} (${timeOf(row).toFixed(0)})`);
  console.log(`\nOver ${CEILING_MS} ms ${when}: ${names.length === 0 ? 'no page' : names.join(', ')}.`);
}

function printFiles(downloads) {
  console.log('\nFiles to download, for which no page waits:\n');
  console.log(
    markdownTable(
      ['file', 'CPU, ms', 'median, ms'],
      downloads.map(({ name, cpuMs, typical }) => [name, cpuMs.toFixed(0), typical.toFixed(0)]),
    ),
  );
}

async function measured(name, paths, { ask, rounds, cpuUs }) {
  const round = async () => {
    const startedMs = performance.now();
    for (const path of paths) await ask(path);
    return performance.now() - startedMs;
  };
  const first = await round();
  for (let count = 0; count < WARM_UPS; count++) await round();
  const beforeUs = cpuUs();
  const times = [];
  for (let count = 0; count < rounds; count++) times.push(await round());
  const cpuMs = (cpuUs() - beforeUs) / 1000 / rounds;
  console.error(`${name}: ${first.toFixed(0)}, then ${median(times).toFixed(1)} ms`);
  return { name, cpuMs, requests: paths.length, first, typical: median(times), slowest: Math.max(...times) };
}

/** The path of a later page of a list. */
async function nthPage(ask, path, number) {
  let next = path;
  for (let page = 1; page < number; page++) {
    const { next_cursor: cursor } = JSON.parse(await ask(next));
    if (cursor === null) throw new Error(`${path} has ${page} pages only`);
    next = `${path}&cursor=${cursor}`;
  }
  return next;
}

function asker(url, token) {
  return async (path) => {
    const response = await fetch(`${url}/admin/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    return body;
  };
}

async function startGateway(folder) {
  writeFileSync(
    join(folder, 'stackgate.yaml'),
    'data_dir: ./data\nserver: { host: 127.0.0.1, port: 0 }\nengines: { text: { gpu: { kind: openai, base_url: "http://127.0.0.1:9", model: tiny } } }\n',
  );
  const started = spawn(process.execPath, [MAIN, 'serve', '--config', join(folder, 'stackgate.yaml')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of started.stdout) {
    output += chunk;
    const url = /listening on (http:\S+)\n/.exec(output)?.[1];
    if (url !== undefined) return { process: drained(started), url };
  }
  throw new Error(`the gateway did not start: ${output}`);
}

/** Lets it write on without being read. */
function drained(started) {
  started.stdout.resume();
  return started;
}

async function makeToken(folder) {
  const command = spawn(
    process.execPath,
    [MAIN, 'operators', 'create', 'bench', '--config', join(folder, 'stackgate.yaml')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  for await (const chunk of command.stdout) output += chunk;
  return output.split('\n')[0];
}
