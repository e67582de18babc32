import { randomBytes } from 'node:crypto';
import { packVectors } from '../../dist/knowledge/packed-vectors.js';
import { passageRows } from '../../dist/knowledge/search/passage-rows.js';
import { BINARY_END, BINARY_HEAD, copyInto, textRow } from './copy-into.mjs';
import { halfOf } from './half-precision.mjs';
import { varyPassage } from './varied-passages.mjs';

export const DOCUMENT_PASSAGES = 100;
export const DIMENSIONS = 512;
const LANGUAGE = 'english';
/** Documents that one statement writes. */
const DOCUMENTS_AT_ONCE = 20;
/** As `packed-vectors.ts` packs numbers, and as `passage-rows.ts` writes them. */
const LARGEST = 127;
const DIGITS = 1e5;
const NO_HEADINGS = '{}';
const NO_VECTORS = new Uint8Array();

/** The documents of a stack, numbered from `firstNumber` on. */
export function documentsOf({ stackId, seed, passages, firstNumber }) {
  return Array.from({ length: Math.ceil(passages / DOCUMENT_PASSAGES) }, (_, document) => ({
    stackId,
    seed,
    document,
    number: firstNumber + document,
    id: `doc_${randomBytes(16).toString('hex')}`,
    name: `${seed}-${document}.md`,
  }));
}

/** The passages of a document as the embedder gives them. */
export function chunksOf(corpus, { seed, document }, most = DOCUMENT_PASSAGES) {
  return Array.from({ length: most }, (_, position) => {
    const { text, vectors } = varyPassage(corpus, { seed, document, number: position });
    return { position, text, headings: [], vectors: packVectors(vectors) };
  });
}

/** Stacks with their spaces. */
export async function fillStacks(client, stacks, model) {
  await client.query(`insert into accounts (id) values ('bench') on conflict do nothing`);
  await copyInto(
    client,
    'copy stacks (id, account_id, plan, image_plan, limits, declared) from stdin',
    stacks.map(({ stackId }) => textRow([stackId, 'bench', 'enterprise', 'f', '{}', 'f'])),
  );
  await copyInto(
    client,
    'copy knowledge_search.spaces (number, stack_id, model, dimensions) from stdin',
    stacks.flatMap(({ stackId, words, vectors }) => [
      textRow([words, stackId, '', null]),
      textRow([vectors, stackId, model, DIMENSIONS]),
    ]),
  );
}

/** Documents whose passages are there; `terms` is how many each has. */
export async function fillDocuments(client, documents, model) {
  await copyInto(
    client,
    `copy knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, searchable_version, chunks, embedding_model)
       from stdin`,
    documents.map(({ id, stackId, name }) =>
      textRow([id, stackId, name, 'f', id, '0'.repeat(64), 1, 'ready', 1, DOCUMENT_PASSAGES, model]),
    ),
  );
  await copyInto(
    client,
    `copy knowledge_search.documents (number, stack_id, document_id, version, language, passages, terms, model, filled_model, is_complete, is_live)
       from stdin`,
    documents.map(({ number, stackId, id, terms }) =>
      textRow([number, stackId, id, 1, LANGUAGE, DOCUMENT_PASSAGES, terms, model, model, 't', 't']),
    ),
  );
}

/** Writes texts, words and vectors of documents as `SearchFiller` does, by COPY. Returns the documents with their terms. */
export async function fillPassages(client, { corpus, documents, words, vectors, model }) {
  const filled = [];
  for (let from = 0; from < documents.length; from += DOCUMENTS_AT_ONCE) {
    const read = documents
      .slice(from, from + DOCUMENTS_AT_ONCE)
      .map((document) => readDocument(corpus, document));
    await copyInto(
      client,
      'copy knowledge_chunks (document_id, version, ordinal, text, headings, embedding_model) from stdin',
      read.map(({ id, passages }) =>
        Buffer.concat(
          passages.map(({ text }, ordinal) => textRow([id, 1, ordinal, text, NO_HEADINGS, model])),
        ),
      ),
    );
    await copyInto(
      client,
      'copy knowledge_search.passages (space, document, ordinal, length, words) from stdin',
      read.map(({ number, rows }) =>
        Buffer.concat(rows.map((row) => textRow([words, number, row.ordinal, row.length, row.words]))),
      ),
    );
    await copyInto(
      client,
      'copy knowledge_search.vectors (space, document, ordinal, place, vector) from stdin (format binary)',
      vectorRows(read, vectors),
    );
    filled.push(
      ...read.map(({ number, rows }) => ({
        number,
        terms: rows.reduce((sum, { length }) => sum + length, 0),
      })),
    );
  }
  return filled;
}

function readDocument(corpus, { seed, document, number, id, name }) {
  const passages = Array.from({ length: DOCUMENT_PASSAGES }, (_, position) =>
    varyPassage(corpus, { seed, document, number: position }),
  );
  const chunks = passages.map(({ text }, position) => ({
    position,
    text,
    headings: [],
    vectors: NO_VECTORS,
  }));
  return { number, id, passages, rows: passageRows({ documentName: name, language: LANGUAGE, chunks }) };
}

function* vectorRows(documents, space) {
  yield BINARY_HEAD;
  for (const { number, passages } of documents)
    for (const [position, { vectors }] of passages.entries())
      for (const [place, vector] of vectors.entries())
        yield vectorRow([space, number, position], place, vector);
  yield BINARY_END;
}

/** A row of COPY's binary format: each field with its length before it. */
function vectorRow(keys, place, vector) {
  const row = Buffer.allocUnsafe(2 + keys.length * 8 + 6 + 8 + 2 * vector.length);
  row.writeInt16BE(keys.length + 2, 0);
  let at = 2;
  for (const value of keys) {
    row.writeInt32BE(4, at);
    row.writeInt32BE(value, at + 4);
    at += 8;
  }
  row.writeInt32BE(2, at);
  row.writeInt16BE(place, at + 4);
  row.writeInt32BE(4 + 2 * vector.length, at + 6);
  row.writeInt16BE(vector.length, at + 10);
  row.writeInt16BE(0, at + 12);
  writeHalves(row, at + 14, vector);
  return row;
}

function writeHalves(row, start, vector) {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const step = largest / LARGEST || 1;
  const stored = Math.fround(step);
  let at = start;
  for (const value of vector) {
    const kept = Math.fround(Math.round(value / step) * stored);
    const half = halfOf(Math.round(kept * DIGITS) / DIGITS);
    row[at] = half >>> 8;
    row[at + 1] = half & 0xff;
    at += 2;
  }
}
