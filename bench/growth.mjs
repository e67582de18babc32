// CPU and memory of each endpoint against the size of its input: nothing may grow faster than necessary.
import { cases, storedCases } from './growth-cases.mjs';
import { fillDatabase } from './growth-database.mjs';
import { treeCpuUs, treeRssMb } from './process-tree.mjs';
import { openWorld } from './soak/soak-world.mjs';
import { markdownTable } from './statistics.mjs';

const ANSWER = '{"total": "12.00"}';
// The two smaller sizes, a tenth of the requests, no database with many rows.
const QUICK = { sizes: 2, share: 1 / 10 };
const WARM_UPS = 2;

export async function run({ quick = false } = {}) {
  const lines = [];
  await inWorld(undefined, async (world) => {
    for (const measured of cases) lines.push(await growth(shortened(measured, quick), world));
  });
  for (const measured of quick ? [] : storedCases) {
    const points = [];
    const { sizes, ...rest } = measured;
    for (const size of sizes) {
      const fill = (folder) => fillDatabase(folder, { [measured.kind]: size });
      await inWorld(fill, async (world) => {
        points.push(...(await growth({ ...rest, sizes: [size] }, world)).points);
      });
    }
    lines.push({ name: measured.name, sizes, points });
  }
  console.log(
    'The server behind the gateway answers at once. CPU is that of all its processes, by request, in steps of 10 ms over all requests; memory after them.\n',
  );
  console.log(
    markdownTable(
      ['what grows', 'sizes', 'CPU per request, ms', 'MB, all processes', 'size grew by', 'CPU grew by'],
      lines.map(cells),
    ),
  );
  return { plots: [plotOf(lines)] };
}

function shortened(measured, quick) {
  if (!quick) return measured;
  return {
    ...measured,
    sizes: measured.sizes.slice(0, QUICK.sizes),
    requests: Math.max(2, Math.round(measured.requests * QUICK.share)),
  };
}

async function growth({ name, sizes, requests, prepare, answer, make }, world) {
  const points = [];
  for (const size of sizes) {
    world.answerWith(answer?.(size) ?? ANSWER);
    const prepared = await prepare?.(size, world);
    const point = await world.measure((number) => make(size, prepared ?? number), requests);
    // The whole takes many minutes; show intermediate results.
    console.error(`${name}: ${size.toLocaleString('en-US')}, ${point.cpuMs.toFixed(2)} ms CPU`);
    points.push(point);
  }
  return { name, sizes, points };
}

/** A table row; the last two columns say whether CPU grows faster than size. */
function cells({ name, sizes, points }) {
  const [first, last] = [points[0], points.at(-1)];
  return [
    name,
    sizes.map((size) => size.toLocaleString('en-US')).join(' / '),
    points.map(({ cpuMs }) => cpuMs.toFixed(2)).join(' / '),
    points.map(({ rssMb }) => Math.round(rssMb)).join(' / '),
    `× ${(sizes.at(-1) / sizes[0]).toLocaleString('en-US')}`,
    `× ${(last.cpuMs / first.cpuMs).toFixed(1)}`,
  ];
}

function plotOf(lines) {
  return {
    kind: 'lines',
    file: 'growth.svg',
    title: 'What a request costs as its work grows',
    across: 'size, in multiples of the smallest',
    up: 'CPU, in multiples of that of the smallest',
    reference: 'as fast as its work',
    lines: lines.map(({ name, sizes, points }) => ({
      label: name,
      points: points.map(({ cpuMs }, index) => [sizes[index] / sizes[0], cpuMs / points[0].cpuMs]),
    })),
  };
}

async function inWorld(prepareFolder, work) {
  const world = await openWorld(prepareFolder);
  try {
    await work(measured(world));
  } finally {
    await world.close();
  }
}

function measured(world) {
  const ask = async ({ path, ...init }) => {
    const headers = { authorization: `Bearer ${world.key}`, ...init.headers };
    const response = await fetch(world.gateway.url + path, { method: 'POST', ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    ask,
    answerWith: (text) => world.upstream.script(() => ({ text })),
    measure: async (make, requests) => {
      // Compilers and engines are warm after a few.
      const warmUps = Math.max(WARM_UPS, Math.round(requests / 5));
      for (let number = 0; number < warmUps; number++) await (await ask(make(number))).arrayBuffer();
      const beforeUs = treeCpuUs(world.gateway.pid);
      for (let number = 0; number < requests; number++)
        await (await ask(make(warmUps + number))).arrayBuffer();
      const cpuMs = (treeCpuUs(world.gateway.pid) - beforeUs) / 1000 / requests;
      return { cpuMs, rssMb: treeRssMb(world.gateway.pid) };
    },
  };
}
