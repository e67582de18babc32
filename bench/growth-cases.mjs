// Inputs of each endpoint, in growing sizes.
import sharp from 'sharp';
import { report } from '../testing/pdf/golden-documents.mjs';

const WORD = 'lorem ';
const WORDS_PER_TOKEN = 0.6;
const SCHEMA = '{"type":"object","properties":{"total":{"type":["string","null"]}}}';

/** The variable, its sizes, how a request is made, and how many make a measurement. */
export const cases = [
  {
    name: 'chat, tokens of prompt',
    sizes: [100, 1_000, 10_000],
    requests: 200,
    make: (size) => json('/v1/chat/completions', chat(words(size))),
  },
  {
    name: 'chat streamed, tokens of answer',
    sizes: [10, 100, 1_000],
    requests: 60,
    answer: (size) => Array.from({ length: size }, () => WORD).join(''),
    make: () => json('/v1/chat/completions', { ...chat('Hello'), stream: true }),
  },
  {
    name: 'chat, tools',
    sizes: [1, 30, 300],
    requests: 60,
    make: (size) =>
      json('/v1/chat/completions', { ...chat('Hello'), tools: Array.from({ length: size }, tool) }),
  },
  {
    name: 'messages, turns',
    sizes: [2, 20, 200],
    requests: 100,
    make: (size) => json('/v1/messages', { model: 'any', max_tokens: 100, messages: turns(size - 1) }),
  },
  {
    name: 'count tokens, turns',
    sizes: [2, 20, 200],
    requests: 100,
    make: (size) => json('/v1/messages/count_tokens', { messages: turns(size) }),
  },
  {
    name: 'embeddings, texts',
    sizes: [1, 8, 64],
    requests: 6,
    make: (size) =>
      json('/v1/embeddings', {
        model: 'universal-sentence-encoder-lite',
        input: Array.from({ length: size }, (_, index) => `${words(40)}${index}`),
      }),
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
    requests: 4,
    prepare: async (size, { ask }) =>
      Buffer.from(
        await (await ask(json('/v1/documents/generate', { html: shortPages(size) }))).arrayBuffer(),
      ),
    make: (_size, pdf) => form('/v1/documents/extract', { schema: SCHEMA, file: ['a.pdf', pdf] }),
  },
  {
    name: 'image edit, megapixels',
    sizes: [0.25, 1, 4],
    requests: 6,
    prepare: (size) => picture(size),
    make: (_size, bytes) => form('/v1/images/edits', { prompt: 'a fox', image: ['a.jpg', bytes] }),
  },
  {
    name: 'image edit, references',
    sizes: [1, 2, 4],
    requests: 6,
    prepare: () => picture(0.5),
    make: (size, bytes) => form('/v1/images/edits', { prompt: 'a fox', image: ['a.jpg', bytes] }, size - 1),
  },
  {
    name: 'schema check, properties',
    sizes: [10, 100, 400],
    requests: 10,
    make: (size) => json('/v1/schemas/check', { schema: wideSchema(size) }),
  },
];

/** Rows in the database, and a request that searches them. Keys differ, so that none is answered from a cache. */
export const storedCases = [
  {
    name: 'models, keys in the database',
    kind: 'keys',
    sizes: [100, 10_000, 100_000],
    requests: 400,
    make: (size, number) => withKey('/v1/models', `secret-${1 + ((number * 7_919) % size)}`),
  },
  {
    name: 'models, stacks in the database',
    kind: 'stacks',
    sizes: [100, 1_000, 10_000],
    requests: 400,
    make: (size, number) => withKey('/v1/models', `secret-of-${1 + ((number * 7_919) % size)}`),
  },
  {
    name: 'gallery, images in the database',
    kind: 'images',
    sizes: [1_000, 100_000, 1_000_000],
    requests: 200,
    make: () => ({ path: '/v1/images?limit=20', method: 'GET' }),
  },
];

function withKey(path, key) {
  return { path, method: 'GET', headers: { authorization: `Bearer ${key}` } };
}

function words(tokens) {
  return WORD.repeat(tokens * WORDS_PER_TOKEN);
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

/** As JPEG: noise of 4 megapixels exceeds a reference's limit as PNG. */
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
    .jpeg({ quality: 70 })
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
