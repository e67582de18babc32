// Requests to every capability. Each has a tag, from which its contents are made and by which it is found again.
import { createHash } from 'node:crypto';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { form, json } from '../soak/request-parts.mjs';
import { textPdf } from '../soak/text-pdf.mjs';
import { MODEL } from './stacks.mjs';

const schema = JSON.stringify({ type: 'object', properties: { total: { type: ['string', 'null'] } } });
const reference = makePng({ width: 64, height: 64, seed: 1 });
/** Kept on the disk while it arrives. */
const LARGE_FILE_BYTES = 1_300_000;
/** Refusals that are foreseen while something fails. */
const TROUBLE = [429, 502, 503, 504];

const PROBED = [
  'chat',
  'messages streamed',
  'response',
  'image',
  'file',
  'extraction',
  'pdf',
  'knowledge search',
];

const chat = (tag, more) =>
  json('/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content: tag }], ...more });
const message = (tag, more) =>
  json('/v1/messages', {
    model: 'any',
    max_tokens: 100,
    messages: [{ role: 'user', content: tag }],
    ...more,
  });
const response = (tag, more) => json('/v1/responses', { model: MODEL, input: tag, ...more });
const image = (tag) => json('/v1/images/generations', { prompt: tag });
const fileOf = (tag, sizeBytes) => Buffer.from(`${tag}\n`.padEnd(sizeBytes, 'x'));
const documentOf = (tag) => Buffer.from(`# Returns\n\nThe parcel ${tag} may be returned within 30 days.\n`);

const keptImage = ({ text }, tag) => {
  const bytes = Buffer.from(JSON.parse(text).data[0].b64_json, 'base64');
  return { type: 'image', prompt: tag, sha256: hashOf(bytes) };
};
const keptFile =
  (sizeBytes) =>
  ({ text }, tag) => ({ type: 'file', id: JSON.parse(text).id, sha256: hashOf(fileOf(tag, sizeBytes)) });
const keptDocument = ({ text }, tag) => ({
  type: 'document',
  id: JSON.parse(text).data[0].id,
  sha256: hashOf(documentOf(tag)),
});
const keptResponse = ({ text }) => ({ type: 'response', ...outputOf(JSON.parse(text)) });
const keptStream = ({ text }) => {
  const [, data] = /^event: response\.completed\ndata: (.*)$/mu.exec(text);
  return { type: 'response', ...outputOf(JSON.parse(data).response) };
};

/** Name, weight, request, whether an answer with status 200 is whole, and what must be there later. */
const kinds = [
  kind('chat', 10, (tag) => chat(tag)),
  kind('chat streamed', 8, (tag) => chat(tag, { stream: true }), { isWhole: endsWith('data: [DONE]') }),
  kind('messages', 5, (tag) => message(tag)),
  kind('messages streamed', 5, (tag) => message(tag, { stream: true }), {
    isWhole: (text) => text.includes('event: message_stop'),
  }),
  kind('response', 6, (tag) => response(tag), { kept: keptResponse }),
  kind('response streamed', 4, (tag) => response(tag, { stream: true }), {
    isWhole: (text) => text.includes('event: response.completed'),
    kept: keptStream,
  }),
  kind('image', 3, image, { kept: keptImage }),
  kind('image edit', 2, (tag) => form('/v1/images/edits', { prompt: tag, image: ['a.png', reference] }), {
    kept: keptImage,
  }),
  kind('file', 4, (tag) => form('/v1/files', { file: [`${tag}.txt`, fileOf(tag, 2_000)] }), {
    kept: keptFile(2_000),
  }),
  kind('large file', 1, (tag) => form('/v1/files', { file: [`${tag}.bin`, fileOf(tag, LARGE_FILE_BYTES)] }), {
    kept: keptFile(LARGE_FILE_BYTES),
  }),
  kind('document', 1, (tag) => form('/v1/knowledge', { file: [`${tag}.md`, documentOf(tag)] }), {
    kept: keptDocument,
  }),
  // A reader or a browser that is killed meanwhile is a 400.
  kind(
    'extraction',
    2,
    (tag) => form('/v1/documents/extract', { schema, file: ['a.pdf', textPdf(`${tag} Total: 12.00`)] }),
    { also: [400] },
  ),
  kind('pdf', 1, (tag) => json('/v1/documents/generate', { html: `<h1>${tag}</h1>` }), { also: [400] }),
];

/** Without effect, so of no use with an Idempotency-Key. */
const looks = [
  kind('models', 3, () => ({ path: '/v1/models' })),
  kind('gallery', 1, () => ({ path: '/v1/images?limit=5' })),
  kind('usage', 1, () => ({ path: '/v1/usage?by=key' })),
  kind('knowledge search', 1, () => json('/v1/knowledge/search', { query: 'May I return a parcel?' })),
];

export const mixed = [...kinds, ...looks];
export const repeatable = kinds;
export const chats = [kind('chat', 1, (tag) => chat(tag))];
export const images = [kind('image', 1, image, { kept: keptImage })];
export const models = [kind('models', 1, () => ({ path: '/v1/models' }))];
export const background = [
  kind('response in the background', 1, (tag) => response(tag, { background: true }), {
    kept: ({ text }) => ({ type: 'background', id: JSON.parse(text).id }),
  }),
];

/** One request to each part of a replica. */
export const probes = mixed.filter(({ name }) => PROBED.includes(name));

/** Chooses among kinds by their weights. */
export function pickKind(list, random) {
  let left = random() * list.reduce((sum, { weight }) => sum + weight, 0);
  return list.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}

export function hashOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The id and the text of a response. */
export function outputOf({ id, output }) {
  return { id, text: output[0]?.content?.[0]?.text };
}

function kind(name, weight, make, { isWhole = () => true, kept, also = [] } = {}) {
  return { name, weight, make, isWhole, kept, allowed: new Set([0, 200, ...TROUBLE, ...also]) };
}

function endsWith(end) {
  return (text) => text.trimEnd().endsWith(end);
}
