// CPU and memory of each endpoint against the size of what it is given: nothing may grow faster than it must.
import sharp from 'sharp';
import { report } from '../testing/pdf/golden-documents.mjs';
import { fillDatabase } from './growth-database.mjs';
import { treeCpuUs, treeRssMb } from './process-tree.mjs';
import { openWorld } from './soak/soak-world.mjs';
import { markdownTable } from './statistics.mjs';

const WORD = 'lorem ';
const SCHEMA = '{"type":"object","properties":{"total":{"type":["string","null"]}}}';

/** What grows, the sizes it is measured at, how one request is made of it, and how many make a measurement. */
const cases = [
  {
    name: 'chat, tokens of prompt',
    sizes: [100, 1_000, 10_000],
    requests: 60,
    make: (size) => json('/v1/chat/completions', chat(WORD.repeat(size * 0.6))),
  },
  {
    name: 'chat, tools',
    sizes: [1, 30, 300],
    requests: 30,
    make: (size) =>
      json('/v1/chat/completions', { ...chat('Hello'), tools: Array.from({ length: size }, tool) }),
  },
  {
    name: 'count tokens, turns',
    sizes: [2, 20, 200],
    requests: 60,
    make: (size) => json('/v1/messages/count_tokens', { messages: turns(size) }),
  },
  {
    name: 'PDF, pages',
    sizes: [1, 10, 60],
    requests: 4,
    make: (size) => json('/v1/documents/generate', { html: report(size) }),
  },
  {
    name: 'extraction, pages of text',
    sizes: [1, 10, 50],
    requests: 6,
    prepare: async (size, { ask }) =>
      Buffer.from(
        await (await ask(json('/v1/documents/generate', { html: shortPages(size) }))).arrayBuffer(),
      ),
    make: (_size, pdf) => form('/v1/documents/extract', { schema: SCHEMA, file: ['a.pdf', pdf] }),
  },
  {
    name: 'image edit, megapixels of the reference',
    sizes: [0.25, 1, 4],
    requests: 6,
    prepare: (size) => picture(size),
    make: (_size, png) => form('/v1/images/edits', { prompt: 'a fox', image: ['a.png', png] }),
  },
  {
    name: 'image edit, references',
    sizes: [1, 2, 4],
    requests: 6,
    prepare: () => picture(0.5),
    make: (size, png) => form('/v1/images/edits', { prompt: 'a fox', image: ['a.png', png] }, size - 1),
  },
  {
    name: 'schema check, properties',
    sizes: [10, 100, 400],
    requests: 10,
    make: (size) => json('/v1/schemas/check', { schema: wideSchema(size) }),
  },
];
const ROWS = { keys: [100, 10_000, 100_000], images: [1_000, 100_000, 1_000_000] };
const QUICK_ROWS = { keys: [100, 10_000], images: [1_000, 100_000] };

export async function run({ quick = false } = {}) {
  const rows = [];
  await inWorld(undefined, async (world) => {
    for (const measured of cases) {
      const sizes = quick ? measured.sizes.slice(0, 2) : measured.sizes;
      rows.push(await growth(measured, sizes, world));
    }
  });
  for (const [kind, sizes] of Object.entries(quick ? QUICK_ROWS : ROWS))
    rows.push(await storedGrowth(kind, sizes));
  console.log(
    markdownTable(
      ['what grows', 'sizes', 'CPU per request, ms', 'MB, all processes', 'size grew by', 'CPU grew by'],
      rows,
    ),
  );
}

/** One line of the table; the last two columns say whether CPU grows faster than size. */
async function growth({ name, requests, prepare, make }, sizes, world) {
  const points = [];
  for (const size of sizes) {
    const prepared = await prepare?.(size, world);
    points.push(await world.measure(() => make(size, prepared), requests));
  }
  return line(name, sizes, points);
}

async function storedGrowth(kind, sizes) {
  const points = [];
  for (const size of sizes) {
    const path = kind === 'keys' ? '/v1/models' : '/v1/images?limit=20';
    const fill = (folder) => fillDatabase(folder, { [kind]: size });
    await inWorld(fill, async (world) => {
      points.push(await world.measure(() => ({ path, method: 'GET' }), 200));
    });
  }
  return line(
    kind === 'keys' ? 'models, keys in the database' : 'gallery, images in the database',
    sizes,
    points,
  );
}

function line(name, sizes, points) {
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

async function inWorld(prepareFolder, work) {
  const world = await openWorld(prepareFolder);
  try {
    await work(measured(world));
  } finally {
    await world.close();
  }
}

function measured(world) {
  world.upstream.script(() => ({ text: '{"total": "12.00"}' }));
  const ask = async ({ path, ...init }) => {
    const headers = { authorization: `Bearer ${world.key}`, ...init.headers };
    const response = await fetch(world.gateway.url + path, { method: 'POST', ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    ask,
    measure: async (make, requests) => {
      // Compilers and engines are warm after a few.
      for (let count = 0; count < Math.max(2, requests / 5); count++) await (await ask(make())).arrayBuffer();
      const beforeUs = treeCpuUs(world.gateway.pid);
      for (let count = 0; count < requests; count++) await (await ask(make())).arrayBuffer();
      const cpuMs = (treeCpuUs(world.gateway.pid) - beforeUs) / 1000 / requests;
      return { cpuMs, rssMb: treeRssMb(world.gateway.pid) };
    },
  };
}

function chat(content) {
  return { model: 'fake-model', messages: [{ role: 'user', content }] };
}

function turns(count) {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: WORD.repeat(30),
  }));
}

function tool(_, index) {
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string', description: WORD.repeat(20) } },
  };
  return { type: 'function', function: { name: `tool_${index}`, description: WORD.repeat(40), parameters } };
}

function wideSchema(count) {
  const names = Array.from({ length: count }, (_, index) => `field_${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: ['string', 'null'] }]));
  return { type: 'object', properties, required: names.slice(0, count / 2), additionalProperties: false };
}

function shortPages(count) {
  const page = `<div style="break-after:page"><h2>Page</h2><p>${WORD.repeat(60)}</p><p>Total: 12.00</p></div>`;
  return page.repeat(count);
}

function picture(megapixels) {
  const side = Math.round(Math.sqrt(megapixels * 1e6));
  return sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer();
}

function json(path, value) {
  return { path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function form(path, fields, more = 0) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else for (let count = 0; count <= more; count++) body.append(name, new Blob([value[1]]), value[0]);
  }
  return { path, body };
}
