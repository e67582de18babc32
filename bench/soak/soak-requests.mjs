// Well-behaved requests to every endpoint, each with the statuses documented for failures.

import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { form, json } from './request-parts.mjs';
import { textPdf } from './text-pdf.mjs';

const ENGINE_TROUBLE = [502, 503, 504];
const LIMITS = [429];
const chatBody = (more) => ({ model: 'fake-model', messages: [{ role: 'user', content: 'Hello' }], ...more });
const messagesBody = (more) => ({
  model: 'any',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
});
const longText = 'The quick brown fox jumps over the lazy dog. '.repeat(900);
const html = '<h1>Invoice</h1><p>Total: 12.00</p>'.repeat(20);
const schema = JSON.stringify({ type: 'object', properties: { total: { type: ['string', 'null'] } } });
const png = makePng({ width: 64, height: 64, seed: 1 });
const DOCUMENTS = 20;
let documentsSent = 0;
const nextDocument = () => documentsSent++ % DOCUMENTS;
const knowledgePage = () =>
  `# Returns, version ${documentsSent}\n\n${'A fox may return a parcel within 30 days. '.repeat(20)}`;

/** Name, weight, allowed statuses and the request. */
export const requests = [
  ask('models', 4, [200], () => ({ path: '/v1/models' })),
  ask('chat', 20, [200, ...ENGINE_TROUBLE], () => json('/v1/chat/completions', chatBody())),
  ask('chat streamed', 20, [200, ...ENGINE_TROUBLE], () =>
    json('/v1/chat/completions', chatBody({ stream: true })),
  ),
  ask('chat, long', 4, [200, ...ENGINE_TROUBLE], () =>
    json('/v1/chat/completions', chatBody({ messages: [{ role: 'user', content: longText }] })),
  ),
  ask('messages', 12, [200, ...ENGINE_TROUBLE], () => json('/v1/messages', messagesBody())),
  ask('messages streamed', 12, [200, ...ENGINE_TROUBLE], () =>
    json('/v1/messages', messagesBody({ stream: true })),
  ),
  ask('count tokens', 6, [200, ...ENGINE_TROUBLE], () => json('/v1/messages/count_tokens', messagesBody())),
  ask('schema check', 3, [200], () => json('/v1/schemas/check', { schema: JSON.parse(schema) })),
  // A browser killed while printing is a 400, by the specification.
  ask('pdf', 4, [200, 400, 503, ...LIMITS], () => json('/v1/documents/generate', { html })),
  ask('pdf by instruction', 2, [200, 400, ...ENGINE_TROUBLE, ...LIMITS], () =>
    json('/v1/documents/generate', { user: 'An invoice' }),
  ),
  ask('extraction', 4, [200, 400, ...ENGINE_TROUBLE], () =>
    form('/v1/documents/extract', { schema, file: ['a.pdf', textPdf('Total: 12.00')] }),
  ),
  ask('image', 6, [200, ...ENGINE_TROUBLE, ...LIMITS], () =>
    json('/v1/images/generations', { prompt: 'a fox' }),
  ),
  ask('image edit', 3, [200, ...ENGINE_TROUBLE, ...LIMITS], () =>
    form('/v1/images/edits', { prompt: 'a red fox', image: ['fox.png', png] }),
  ),
  ask('gallery', 3, [200], () => ({ path: '/v1/images?limit=5' })),
  ask('image that is not there', 1, [404], () => ({ path: '/v1/images/img_0/meta' })),
  // Read if OCR is available, which may be killed meanwhile.
  ask('image to read', 1, [200, 400, ...ENGINE_TROUBLE], () =>
    form('/v1/images/extract', { schema, file: ['a.png', png] }),
  ),
  ask('embeddings', 4, [200, ...ENGINE_TROUBLE, ...LIMITS], () =>
    json('/v1/embeddings', { model: 'universal-sentence-encoder-lite', input: 'How do I return a parcel?' }),
  ),
  // Always the same names, so that documents replace each other.
  ask('knowledge', 2, [200], () =>
    form('/v1/knowledge', { file: [`page-${nextDocument()}.md`, Buffer.from(knowledgePage())] }),
  ),
  ask('knowledge list', 2, [200], () => ({ path: '/v1/knowledge?limit=10' })),
  ask('usage', 2, [200], () => ({ path: '/v1/usage?by=key' })),
  ask('limits', 2, [200], () => ({ path: '/v1/limits' })),
  ask('description', 1, [200], () => ({ path: '/openapi.json' })),
  ask('wrong key', 3, [401], () => ({ path: '/v1/models', headers: { authorization: 'Bearer sk-wrong' } })),
  ask('bad JSON', 3, [400], () => ({ ...json('/v1/chat/completions', {}), body: '{"model": ' })),
  ask('wrong fields', 3, [400], () =>
    json('/v1/chat/completions', { model: 'fake-model', messages: 'none' }),
  ),
  ask('wrong type', 2, [415], () => ({
    ...json('/v1/messages', {}),
    headers: { 'content-type': 'text/plain' },
  })),
  ask('no such path', 2, [404], () => ({ path: '/v1/nothing' })),
  ask('readiness', 2, [200], () => ({ path: '/readyz' })),
];

function ask(name, weight, allowed, make) {
  return { name, weight, allowed: new Set(allowed), make };
}
