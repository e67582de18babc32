import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../../testing/pdf/golden-documents.mjs';
import { formRequest, jsonRequest } from '../ask.mjs';
import { drawScan } from '../scan.mjs';

const BOTH = ['upstream', 'embedded'];
const AT_ONCE = 12;
// Above the connections to one model server plus those that may wait.
const HELD = 1_100;
const HELD_MS = 600_000;
const SEARCHES = 24;
const LIBRARY_BYTES = 100_000;
const INDEXING_BOUND_MS = 120_000;
const SCHEMA = JSON.stringify({ type: 'object', properties: { total: { type: ['string', 'null'] } } });
const SENTENCES = [
  'A fox may return a parcel within 30 days.',
  'The price of a lamp is 12.00, that of a chair 45.50.',
  'Deliveries to islands take a week longer.',
  'Ask the office in the second street for a receipt.',
];

/** More concurrent work than there are slots for. */
export const linesAttacks = [
  {
    name: 'lines-ocr',
    what: `${AT_ONCE} scans to read at a time, pictures and PDFs of four pages`,
    engines: BOTH,
    needs: 'ocr',
    prepare: prepareScans,
    run: (noise, requests) => noise.keepAsking(AT_ONCE, (number) => requests[number % requests.length]),
  },
  {
    name: 'lines-pdf',
    what: `${AT_ONCE} reports of 60 pages to print at a time`,
    engines: BOTH,
    prepare: (noise) => jsonRequest('/v1/documents/generate', { html: report() }, noise.keys.noisy),
    run: (noise, request) => noise.keepAsking(AT_ONCE, () => request),
  },
  {
    name: 'lines-chats',
    what: `${AT_ONCE} long chats at a time on the embedded model`,
    engines: ['embedded'],
    run: (noise) => noise.keepAsking(AT_ONCE, (number) => longChat(noise, number)),
  },
  {
    name: 'lines-upstream',
    what: `${HELD} chats at a time that the model server leaves without an answer`,
    engines: ['upstream'],
    run: (noise) =>
      noise.keepAsking(HELD, (number) => heldChat(noise, number), { addresses: 2, pauseMs: 1_000 }),
  },
  {
    name: 'lines-knowledge',
    what: 'four documents of 1 MB to index at a time',
    engines: BOTH,
    run: (noise) => noise.keepAsking(4, (number) => documentOf(noise, number, 1_000_000), { pauseMs: 200 }),
  },
  {
    name: 'lines-retrieval',
    what: `${SEARCHES} searches at a time in a knowledge base of ${LIBRARY_BYTES / 1000} KB`,
    engines: BOTH,
    prepare: prepareLibrary,
    run: (noise) => noise.keepAsking(SEARCHES, (number) => searchingCount(noise, number)),
  },
];

async function prepareScans(noise) {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-neighbours-'));
  try {
    const { picture, pdf } = await drawScan(folder, { pages: 4 });
    const key = noise.keys.noisy;
    const fields = { schema: SCHEMA, user: '[[say {"total": null}]]' };
    return [
      await formRequest('/v1/images/extract', { ...fields, file: ['scan.jpg', picture] }, key),
      await formRequest('/v1/documents/extract', { ...fields, file: ['scan.pdf', pdf] }, key),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Uploads a document and waits until it is searchable. */
async function prepareLibrary(noise) {
  await noise.askOnce(await documentOf(noise, noise.next(), LIBRARY_BYTES));
  const headers = { authorization: `Bearer ${noise.keys.library}` };
  const endsAtMs = performance.now() + INDEXING_BOUND_MS;
  for (;;) {
    const { data } = await (await fetch(`${noise.url}/v1/knowledge`, { headers })).json();
    if (data.every(({ state }) => state === 'ready')) return;
    if (performance.now() > endsAtMs) throw new Error(`the document is still ${data[0].state}`);
    await sleep(500);
  }
}

function longChat(noise, number) {
  const text = `Write a long story about fox number ${number} who lives by the sea.`;
  return jsonRequest('/v1/chat/completions', noise.chat(text), noise.keys.noisy);
}

function heldChat(noise, number) {
  return jsonRequest(
    '/v1/chat/completions',
    noise.chat(`[[wait ${HELD_MS}]] Chat ${number}.`),
    noise.keys.noisy,
  );
}

function documentOf(noise, number, bytes) {
  const line = (_, place) => `${place}. ${SENTENCES[(place + number) % SENTENCES.length]}\n\n`;
  const text = Array.from({ length: Math.ceil(bytes / 50) }, line).join('');
  const file = [`${number}.md`, Buffer.from(`# Document ${number}\n\n${text}`)];
  return formRequest('/v1/knowledge', { file }, noise.keys.library);
}

/** Counting tokens searches like an answer would, and costs the model nothing. */
function searchingCount(noise, number) {
  const question = `How long may fox ${number} wait before a parcel is returned to the office?`;
  return jsonRequest('/v1/messages/count_tokens', noise.chat(question), noise.keys.library);
}
