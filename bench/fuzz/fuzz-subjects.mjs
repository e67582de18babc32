// Valid files and documents, and the routes that read them.
import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { invoice, multilingual, report } from '../../testing/pdf/golden-documents.mjs';
import { textPdf } from '../soak/text-pdf.mjs';
import { mutateBytes } from './mutate-bytes.mjs';
import { mutateJson } from './mutate-json.mjs';

const SCHEMA = '{"type":"object","properties":{"total":{"type":["string","null"]}}}';
// The file is at fault, or OCR is missing; a document that was read may be too large, or fail in the model.
const FILE_ANSWERS = [200, 400, 413, 422, 502, 503];

/** Each kind of input with a way to spoil it and its route. `print` makes the initial PDFs; `model` is the served one. */
export async function fuzzSubjects({ print, model }) {
  const pdfs = [
    textPdf('Total: 12.00'),
    await print(invoice()),
    await print(multilingual()),
    await print(report(3)),
  ];
  const pictures = await goodPictures();
  const responses = recordedResponses(model);
  const pages = [invoice(), multilingual(), report(3)].map((html) => Buffer.from(html));
  return [
    subject('PDF', FILE_ANSWERS, (random) =>
      form('/v1/documents/extract', {
        schema: SCHEMA,
        file: ['a.pdf', mutateBytes(one(pdfs, random), random)],
      }),
    ),
    subject('image to read', FILE_ANSWERS, (random) =>
      form('/v1/images/extract', {
        schema: SCHEMA,
        file: ['a.png', mutateBytes(one(pictures, random), random)],
      }),
    ),
    subject('image to edit', [200, 400, 413, 429, 503], (random) =>
      form('/v1/images/edits', {
        prompt: 'a fox',
        image: ['a.png', mutateBytes(one(pictures, random), random)],
      }),
    ),
    // Huge sizes may also make too many pages.
    subject('HTML', [200, 400, 413, 429], (random) =>
      json('/v1/documents/generate', { html: mutateBytes(one(pages, random), random).toString('utf8') }),
    ),
    // A schema may be invalid, or valid and not satisfied by the model.
    subject('JSON Schema', [200, 400, 413, 502], (random) =>
      form('/v1/documents/extract', {
        schema: JSON.stringify(mutateJson(one(schemas, random), random)),
        file: ['a.pdf', pdfs[0]],
      }),
    ),
    // Unknown ids and items that are missing are 400; models and calls that are spoiled too.
    subject('response', [200, 400, 404, 413], (random) =>
      json('/v1/responses', { store: false, ...mutateJson(one(responses, random), random) }),
    ),
    subject('JSON Schema to check', [200, 400, 413], (random) =>
      json('/v1/schemas/check', { schema: mutateJson(one(schemas, random), random) }),
    ),
  ];
}

/** Requests of Codex and SDKs, as they were recorded. */
function recordedResponses(model) {
  const folder = new URL('../../testing/text/responses-corpus/', import.meta.url);
  return readdirSync(folder).map((file) => ({
    ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
    model,
  }));
}

function subject(name, allowed, make) {
  return { name, allowed: new Set(allowed), make };
}

async function goodPictures() {
  const drawing = sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" fill="white"/><text x="20" y="70" font-size="40">Total 12.00</text></svg>',
    ),
  );
  return Promise.all(
    ['png', 'jpeg', 'webp', 'gif', 'tiff'].map((format) => drawing.clone().toFormat(format).toBuffer()),
  );
}

const schemas = [
  {
    type: 'object',
    required: ['total', 'lines'],
    properties: {
      total: { type: 'number', minimum: 0, maximum: 1e6, multipleOf: 0.01 },
      date: { type: ['string', 'null'], format: 'date' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$', minLength: 3, maxLength: 12 },
      kind: { enum: ['invoice', 'offer', null] },
      lines: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
      },
    },
    additionalProperties: false,
  },
  {
    $defs: {
      node: { type: 'object', properties: { value: { type: 'integer' }, next: { $ref: '#/$defs/node' } } },
      name: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }] },
    },
    type: 'object',
    properties: { list: { $ref: '#/$defs/node' }, name: { $ref: '#/$defs/name' } },
    if: { required: ['list'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['name'] },
    allOf: [
      { properties: { name: { not: { const: 'x' } } } },
      { oneOf: [{ minProperties: 1 }, { maxProperties: 0 }] },
    ],
    patternProperties: { '^x-': { type: 'boolean' } },
    propertyNames: { maxLength: 10 },
    dependentRequired: { list: ['name'] },
  },
];

function one(list, random) {
  return list[Math.floor(random() * list.length)];
}

function json(path, value) {
  return { path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function form(path, fields) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[1]]), value[0]);
  }
  return { path, body };
}
