import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processTree } from '../dist/pdf/engines/chromium/process-tree.js';
import { invoice, report } from '../testing/pdf/golden-documents.mjs';
import { copyDatabase } from './database-template.mjs';
import { startDirectPrinter } from './pdf-direct.mjs';
import { startServer } from './server-process.mjs';
import { bestQuartile, markdownTable, median } from './statistics.mjs';

const gatewayScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const peerScript = fileURLToPath(new URL('./pdf-weasyprint.py', import.meta.url));
// Compared if installed: python3 -m venv .cache/weasyprint && .cache/weasyprint/bin/pip install weasyprint
const peerPython = fileURLToPath(new URL('../.cache/weasyprint/bin/python', import.meta.url));
const FULL = { rounds: 12, inFlight: [1, 2, 4, 8], documents: 64, memoryDocuments: 300 };
const QUICK = { rounds: 3, inFlight: [1, 2], documents: 10, memoryDocuments: 30 };
const MB = 1_000_000;
// Without an embedded model, whose fetching and loading would be counted. Of nine slots one stack may take eight.
const CONFIGURATION = `
engines:
  text: { none: { kind: openai, base_url: "http://127.0.0.1:9/v1", model: none, context_window: 8192 } }
  pdf: { kind: chromium, max_in_flight: 9 }
`;

/**
 * The invoice and the report of 60 pages through the gateway, against the same browser driven directly and against WeasyPrint.
 */
export async function run({ quick }) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  await copyDatabase(folder);
  const direct = await startDirectPrinter(folder);
  try {
    await writeFile(join(folder, 'stackgate.yaml'), CONFIGURATION);
    const gateway = await startServer(gatewayScript, {
      cwd: folder,
      args: ['serve'],
      env: { STACKGATE_PORT: '0', STACKGATE_LOG_LEVEL: 'warn' },
    });
    try {
      const key = (await readFile(join(folder, 'data', 'default-key'), 'utf8')).trim();
      const print = (html) => printThroughGateway(gateway.url, key, html);
      console.log(`PDF generation, ${direct.version}\n`);
      const { rounds, inFlight, documents, memoryDocuments } = quick ? QUICK : FULL;
      const plots = await compare({ print, direct, rounds });
      await measureThroughput(print, { inFlight, documents });
      await measureMemory(gateway, print, memoryDocuments);
      return { plots };
    } finally {
      await gateway.stop();
    }
  } finally {
    await direct.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function printThroughGateway(url, key, html) {
  const answer = await fetch(`${url}/v1/documents/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html }),
  });
  const bytes = await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${answer.status} ${Buffer.from(bytes)}`);
  return bytes.byteLength;
}

async function timeOf(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Alternating in each round, so that a busy machine affects all. */
async function compare({ print, direct, rounds }) {
  const peer = existsSync(peerPython) ? startPeer() : undefined;
  const rows = [];
  const plots = [];
  for (const [name, html] of [
    ['invoice', invoice()],
    ['report, 60 pages', report()],
  ]) {
    const times = { direct: [], gateway: [], weasyprint: [] };
    for (let round = -2; round < rounds; round++) {
      const directMs = await timeOf(() => direct.print(html));
      const gatewayMs = await timeOf(() => print(html));
      if (round < 0) continue;
      times.direct.push(directMs);
      times.gateway.push(gatewayMs);
      if (peer !== undefined && round < 3) times.weasyprint.push(await timeOf(() => peer.print(html)));
    }
    rows.push([name, ...figures(times)]);
    plots.push(plotOf(name, times));
  }
  peer?.stop();
  console.log(
    markdownTable(
      [
        '',
        'direct, ms',
        'gateway, ms',
        'ratio, best quartile',
        'ratio, median',
        'WeasyPrint, ms',
        'its ratio',
      ],
      rows,
    ),
  );
  console.log('');
  return plots;
}

function plotOf(name, { direct, gateway, weasyprint }) {
  return {
    file: `pdf-${name.split(',')[0]}.svg`,
    title: `PDF: ${name}`,
    unit: 'milliseconds, median; less is better',
    bars: [
      { label: 'the same browser, driven directly', value: median(direct) },
      { label: 'Stackgate, over HTTP', value: median(gateway), ours: true },
      ...(weasyprint.length === 0 ? [] : [{ label: 'WeasyPrint', value: median(weasyprint) }]),
    ],
  };
}

function figures({ direct, gateway, weasyprint }) {
  const ratio = (statistic) => (statistic(gateway) / statistic(direct)).toFixed(2);
  const peer =
    weasyprint.length === 0
      ? ['not installed', '–']
      : [median(weasyprint).toFixed(0), (median(weasyprint) / median(direct)).toFixed(1)];
  return [median(direct).toFixed(0), median(gateway).toFixed(0), ratio(bestQuartile), ratio(median), ...peer];
}

async function measureThroughput(print, { inFlight: counts, documents }) {
  const html = invoice();
  const rates = [];
  for (const inFlight of counts) {
    let left = documents;
    const worker = async () => {
      while (left-- > 0) await print(html);
    };
    const ms = await timeOf(() => Promise.all(Array.from({ length: inFlight }, worker)));
    rates.push((documents / ms) * 1000);
  }
  const rows = [
    ['invoices per second', ...rates.map((rate) => rate.toFixed(1))],
    ['against one', ...rates.map((rate) => (rate / rates[0]).toFixed(2))],
  ];
  console.log(`${markdownTable(['in flight', ...counts], rows)}\n`);
}

/** The browser's processes are children of the gateway's. */
async function measureMemory(gateway, print, documents) {
  const html = invoice();
  const heads = [];
  const cells = [];
  for (let printed = 1; printed <= documents; printed++) {
    await print(html);
    if (printed !== 10 && printed % (documents / 3) !== 0) continue;
    const tree = processTree(gateway.pid);
    const browser = tree.filter(({ id }) => id !== gateway.pid);
    heads.push(printed);
    cells.push((browser.reduce((sum, { privateBytes }) => sum + privateBytes, 0) / MB).toFixed(0));
  }
  console.log(
    markdownTable(['invoices printed', ...heads], [['private memory of the browser, MB', ...cells]]),
  );
}

/** A process that prints documents one after the other. */
function startPeer() {
  const child = spawn(peerPython, [peerScript], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  return {
    async print(html) {
      child.stdin.write(`${JSON.stringify(html)}\n`);
      await once(lines, 'line');
    },
    stop: () => child.kill('SIGKILL'),
  };
}
