import { readdirSync, readFileSync } from 'node:fs';
import { markdownTable, median } from './statistics.mjs';

const FULL = { rounds: 5, sizes: ['1024x1024', '1536x1024', '1024x1536'], steps: [1, 4, 8] };
const QUICK = { rounds: 1, sizes: ['1024x1024'], steps: [1, 4] };
// Linux counts the CPU time of a process in hundredths of a second.
const TICKS_PER_SECOND = 100;
const never = new AbortController().signal;

/** The cost of a picture by the embedded painter: CPU seconds of its process, memory, and the part of the PNG. */
export async function run({ quick = false } = {}) {
  const { DiffusionEngine } = await import('../dist/images/engines/diffusion/diffusion-engine.js');
  const { createLog } = await import('../dist/telemetry/log.js');
  const config = { kind: 'diffusion', threads: 1, idlePauseMinutes: 0 };
  const engine = new DiffusionEngine({ config, log: createLog('error', { write: console.error }) });
  try {
    await engine.lifecycle.ready(never);
    const child = new ChildFigures(childOf(process.pid));
    console.log(`painter: load ${child.cpuSeconds().toFixed(2)} CPU s, ${child.memory('VmRSS')} MB\n`);
    const plots = await measure({ engine, child, ...(quick ? QUICK : FULL) });
    console.log(`\nPeak memory of the painter's process: ${child.memory('VmHWM')} MB\n`);
    return { plots };
  } finally {
    await engine.close(never);
  }
}

/** Cases alternate, so that a busy moment does not hit only one of them. */
async function measure({ engine, child, rounds, sizes, steps: counts }) {
  const { bytes } = await engine.paint(orderOf({ size: '1024x1024', steps: 4 }), never);
  const cases = [
    ...sizes.flatMap((size) => counts.map((steps) => ({ size, steps, name: 'prompt' }))),
    { size: '1024x1024', steps: 4, guidanceScale: 3, name: 'guidance 3' },
    { size: '1024x1024', steps: 4, references: [bytes], name: 'edit, one reference' },
    { size: '1024x1024', steps: 4, references: [bytes, bytes, bytes, bytes], name: 'edit, four references' },
  ].map((kind) => ({ ...kind, cpu: [], own: [], png: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const kind of cases) await measureOnce(kind, { engine, child, round });
  }
  report(cases);
  return [plotOf(cases)];
}

async function measureOnce(kind, { engine, child, round }) {
  const before = child.cpuSeconds();
  const ownBefore = process.cpuUsage();
  const { paintMs, encodeMs } = await engine.paint(orderOf({ ...kind, seed: BigInt(round) }), never);
  const { user, system } = process.cpuUsage(ownBefore);
  kind.cpu.push(child.cpuSeconds() - before);
  kind.own.push((user + system) / 1000);
  kind.png.push(encodeMs / (paintMs + encodeMs));
}

function orderOf({ size, steps, guidanceScale = 1, references = [], seed = 1n }) {
  const [width, height] = size.split('x').map(Number);
  const prompt = references.length > 0 ? 'make it night' : 'a cat on a beach';
  return { prompt, width, height, steps, guidanceScale, seed, references };
}

function report(cases) {
  const heads = ['', 'size', 'steps', 'CPU s, median', 'best to worst', 'PNG share', 'gateway, CPU ms'];
  const rows = cases.map(({ name, size, steps, cpu, own, png }) => [
    name,
    size,
    steps,
    median(cpu).toFixed(2),
    `${Math.min(...cpu).toFixed(2)}–${Math.max(...cpu).toFixed(2)}`,
    `${Math.round(median(png) * 100)} %`,
    median(own).toFixed(0),
  ]);
  console.log(markdownTable(heads, rows));
}

function plotOf(cases) {
  const squares = cases.filter(({ size }) => size === '1024x1024');
  return {
    file: 'painter-cost.svg',
    title: 'The embedded painter: a picture of 1024 × 1024',
    unit: 'CPU seconds of one core, median; less is better',
    bars: squares.map(({ name, steps, cpu }) => ({
      label: `${name}, ${steps} ${steps === 1 ? 'step' : 'steps'}`,
      value: median(cpu),
      ours: true,
    })),
  };
}

/** Figures of a process from /proc. */
class ChildFigures {
  #pid;

  constructor(pid) {
    this.#pid = pid;
  }

  cpuSeconds() {
    const fields = this.#read('stat')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }

  memory(name) {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(this.#read('status'))?.[1];
    return Math.round((Number(kilobytes) * 1024) / 1e6);
  }

  #read(file) {
    return readFileSync(`/proc/${this.#pid}/${file}`, 'utf8');
  }
}

function childOf(parent) {
  const tasks = readdirSync(`/proc/${parent}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const found = children.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('painter-child'),
  );
  if (found === undefined) throw new Error('the painter has no process; this benchmark needs Linux');
  return found;
}
