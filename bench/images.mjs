import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { copyDatabase } from './database-template.mjs';
import { treeCpuUs, treeRssMb } from './process-tree.mjs';
import { startServer } from './server-process.mjs';
import { markdownTable, median, quantile } from './statistics.mjs';

const KEY = 'a-key-for-the-benchmark';
const SIZES = { generation: [1024, 1024], edit: [1536, 1024] };
// Incompressible pixels: just under 5 MiB as a PNG, 4 of them just under 21 MiB.
const REFERENCE_SIDE = 1_280;
const IN_FLIGHT = 3;
const FULL = { images: 40, edits: 10, heldMs: 15_000 };
const QUICK = { images: 10, edits: 2, heldMs: 4_000 };
const gatewayScript = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const upstreamScript = fileURLToPath(new URL('./image-upstream.mjs', import.meta.url));

/** Images with an instant engine: CPU and latency added by the gateway, lag of its main thread, and memory. */
export async function run({ quick }) {
  const { images, edits, heldMs } = quick ? QUICK : FULL;
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    await copyDatabase(folder);
    await withPeers(folder, SIZES.generation, (peers) => measureGenerations(peers, images));
    await withPeers(folder, SIZES.edit, (peers) => measureEdits(peers, { rounds: edits, heldMs }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureGenerations(peers, rounds) {
  const decodeUs = await decodeCpuUs(peers.picture, rounds);
  const direct = await timesOf(rounds, () => generate(`${peers.upstream.url}/v1`));
  await timesOf(3, () => generate(`${peers.gateway.url}/v1`));
  const beforeUs = treeCpuUs(peers.gateway.pid);
  const through = await timesOf(rounds, () => generate(`${peers.gateway.url}/v1`));
  const addedUs = (treeCpuUs(peers.gateway.pid) - beforeUs) / rounds;
  console.log(`\nAn image of ${SIZES.generation.join(' × ')}, ${peers.picture.length} bytes, from words\n`);
  console.log(
    markdownTable(
      ['', 'value'],
      [
        ['one decode of the picture, CPU ms', (decodeUs / 1000).toFixed(1)],
        ['added by the gateway, CPU ms', (addedUs / 1000).toFixed(1)],
        ['the same, in decodes', (addedUs / decodeUs).toFixed(2)],
        ['engine alone, ms (median)', median(direct).toFixed(1)],
        ['through the gateway, ms (median)', median(through).toFixed(1)],
      ],
    ),
  );
}

async function measureEdits(peers, { rounds, heldMs }) {
  const form = await editForm();
  const restMb = treeRssMb(peers.gateway.pid);
  const idle = await timesOf(100, () =>
    fetch(`${peers.gateway.url}/healthz`).then((answer) => answer.text()),
  );
  const busy = [];
  for (let round = 0; round < rounds; round++) {
    const editing = edit(peers.gateway, form);
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    editing.then(end, end);
    while (!isOver)
      busy.push(
        ...(await timesOf(1, () => fetch(`${peers.gateway.url}/healthz`).then((answer) => answer.text()))),
      );
    await editing;
  }
  const peakMb = await memoryInFlight(peers, form, heldMs);
  console.log(
    `\nEdits of ${SIZES.edit.join(' × ')} with four references, ${(form.bytes / 2 ** 20).toFixed(1)} MiB each\n`,
  );
  console.log(
    markdownTable(
      ['', 'value'],
      [
        [
          '/healthz while idle, ms (median, 99 %)',
          `${median(idle).toFixed(1)}, ${quantile(idle, 0.99).toFixed(1)}`,
        ],
        [
          '/healthz during edits, ms (median, 99 %)',
          `${median(busy).toFixed(1)}, ${quantile(busy, 0.99).toFixed(1)}`,
        ],
        ['memory at rest, all processes, MB', restMb.toFixed(0)],
        [`highest with ${IN_FLIGHT} edits in flight, MB`, peakMb.toFixed(0)],
      ],
    ),
  );
}

/** The engine holds all of them, so that they are in flight together. */
async function memoryInFlight({ gateway, upstream }, form, heldMs) {
  await fetch(`${upstream.url}/hold`);
  let peakMb = 0;
  const edits = Promise.all(Array.from({ length: IN_FLIGHT }, () => edit(gateway, form)));
  const until = Date.now() + heldMs;
  while (Date.now() < until) {
    peakMb = Math.max(peakMb, treeRssMb(gateway.pid));
    await pause(50);
  }
  await fetch(`${upstream.url}/release`);
  await edits;
  return Math.max(peakMb, treeRssMb(gateway.pid));
}

/** Starts an engine and a gateway, and stops both after the work. */
async function withPeers(folder, [width, height], work) {
  const picture = await photograph(width, height);
  const path = join(folder, 'picture.png');
  await writeFile(path, picture);
  const upstream = await startServer(upstreamScript, { args: [path] });
  await writeFile(join(folder, 'stackgate.yaml'), configurationFor(upstream.url));
  const env = { STACKGATE_LOG_LEVEL: 'warn' };
  const gateway = await startServer(gatewayScript, { cwd: folder, args: ['serve'], env });
  try {
    await untilReady(gateway, `${width}x${height}`);
    await work({ picture, upstream, gateway });
  } finally {
    await Promise.all([gateway.stop(), upstream.stop()]);
  }
}

function configurationFor(url) {
  return `
server: { port: 0 }
engines:
  # No model of the gateway's own, whose start would be counted with the images.
  text: { local: { kind: openai, base_url: "${url}/v1", model: none } }
  image: { flux: { kind: openai-images, base_url: "${url}/v1", model: flux } }
stacks:
  - id: bench
    account: bench
    image_plan: true
    limits: { images: { submissions_per_minute: 100000, in_flight: 10, rendering: ${IN_FLIGHT} } }
    keys: [{ id: web, secret: ${KEY} }]
`;
}

async function untilReady(gateway, size) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status } = await generate(`${gateway.url}/v1`, size);
    if (status === 200) return;
    await pause(200);
  }
  throw new Error('the gateway never painted');
}

async function generate(base, size = '1024x1024') {
  const answer = await fetch(`${base}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a fox', size, seed: 7 }),
  });
  await answer.arrayBuffer();
  return answer;
}

async function edit(gateway, { fields, files }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append('image[]', file);
  const answer = await fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: form,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`an edit failed: ${text}`);
}

async function editForm() {
  const pixels = Buffer.alloc(REFERENCE_SIDE ** 2 * 3);
  for (let at = 0, state = 1; at < pixels.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    pixels[at] = state >>> 24;
  }
  const raw = { width: REFERENCE_SIDE, height: REFERENCE_SIDE, channels: 3 };
  const bytes = await sharp(pixels, { raw }).png({ compressionLevel: 1 }).toBuffer();
  const files = Array.from({ length: 4 }, (_, index) => new File([bytes], `reference-${index}.png`));
  return { fields: { prompt: 'make it winter', size: '1536x1024' }, files, bytes: 4 * bytes.length };
}

/** Smooth colours with some noise: compresses like a painting. */
async function photograph(width, height) {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 };
  const grain = await sharp({ create: { width, height, channels: 3, background: '#808080', noise } })
    .png()
    .toBuffer();
  const colours = await sharp({
    create: { width: 16, height: 16, channels: 3, background: '#5080a0', noise: { ...noise, sigma: 60 } },
  })
    .png()
    .toBuffer();
  return await sharp(colours)
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .png()
    .toBuffer();
}

async function decodeCpuUs(picture, rounds) {
  sharp.concurrency(1);
  sharp.cache(false);
  const costs = [];
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    await sharp(picture).raw().toBuffer();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return median(costs);
}

async function timesOf(count, call) {
  const times = [];
  for (let round = 0; round < count; round++) {
    const startedMs = performance.now();
    await call();
    times.push(performance.now() - startedMs);
  }
  return times;
}
