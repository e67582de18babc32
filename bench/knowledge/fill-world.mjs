import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { copyStacks } from './copy-stacks.mjs';
import {
  chunksOf,
  DOCUMENT_PASSAGES,
  documentsOf,
  fillDocuments,
  fillPassages,
  fillStacks,
} from './fill-tables.mjs';
import { addDocument, addStack } from './scale-documents.mjs';
import { MODEL, never, timed, withClient } from './scale-world.mjs';

export const STACK_PASSAGES = 1_000;
/** Small stacks that differ; the others are copies of them. */
export const DIFFERENT_STACKS = 100;
const FILLING_THREADS = 2;
const LARGE = { stackId: 'large', seed: 0, words: 1, vectors: 2 };

/** Stacks that are there are not filled again. */
export async function fill(world, { passages, stacks }) {
  if (!(await world.figure('large'))) await fillLarge(world, passages);
  await requireSameRows(world);
  if (!(await world.figure('small'))) await fillSmall(world, stacks);
}

async function fillLarge(world, passages) {
  const { pool } = world;
  const documents = documentsOf({ ...LARGE, passages, firstNumber: 1 });
  await withClient(world, (client) => fillStacks(client, [LARGE], MODEL));
  const { words, vectors } = LARGE;
  const each = Math.ceil(documents.length / FILLING_THREADS);
  const parts = await Promise.all(
    Array.from({ length: FILLING_THREADS }, async (_, thread) => {
      const part = documents.slice(thread * each, (thread + 1) * each);
      const workerData = {
        url: world.url,
        folder: world.folder,
        documents: part,
        words,
        vectors,
        model: MODEL,
      };
      const worker = new Worker(new URL('./fill-worker.mjs', import.meta.url), { workerData });
      return (await once(worker, 'message'))[0];
    }),
  );
  await withClient(world, (client) => fillDocuments(client, withTerms(documents, parts.flat()), MODEL));
  await numberOn(pool);
  await settle(pool);
  await build(world);
}

async function build(world) {
  const building = await timed(world, () => world.indexes.tend(never));
  await world.keep('large', { buildMs: building.ms, buildCpuMs: building.cpuMs });
}

async function fillSmall(world, stacks) {
  const { pool, corpus } = world;
  const different = Math.min(stacks, DIFFERENT_STACKS);
  const { rows } = await pool.query(
    'select (select max(number) from knowledge_search.documents) as documents, (select max(number) from knowledge_search.spaces) as spaces',
  );
  const first = { documents: rows[0].documents + 1, spaces: rows[0].spaces + 1 };
  const perStack = STACK_PASSAGES / DOCUMENT_PASSAGES;
  await withClient(world, async (client) => {
    for (let place = 0; place < different; place += 1) {
      const [words, vectors] = [first.spaces + 2 * place, first.spaces + 2 * place + 1];
      const stack = { stackId: `small-${place}`, seed: place + 1, words, vectors };
      const firstNumber = first.documents + place * perStack;
      const documents = documentsOf({ ...stack, passages: STACK_PASSAGES, firstNumber });
      await fillStacks(client, [stack], MODEL);
      const filled = await fillPassages(client, { corpus, documents, words, vectors, model: MODEL });
      await fillDocuments(client, withTerms(documents, filled), MODEL);
    }
    await copyStacks(client, { first, different, stacks, perStack });
  });
  await numberOn(pool);
  await settle(pool);
  await world.keep('small', { stacks });
}

function withTerms(documents, filled) {
  const terms = new Map(filled.map(({ number: document, terms: count }) => [document, count]));
  return documents.map((document) => ({ ...document, terms: terms.get(document.number) }));
}

/** Numbers that the gateway gives come after those that were given here. */
async function numberOn(pool) {
  for (const table of ['documents', 'spaces'])
    await pool.query(
      `select setval(pg_get_serial_sequence('knowledge_search.${table}', 'number'), (select max(number) from knowledge_search.${table}))`,
    );
}

async function settle(pool) {
  for (const table of ['passages', 'vectors', 'documents', 'spaces'])
    await pool.query(`vacuum (analyze) knowledge_search.${table}`);
  await pool.query('vacuum (analyze) knowledge_documents, knowledge_chunks');
}

/** The rows that were copied must be those that the gateway writes of the same passages. */
async function requireSameRows(world) {
  const { pool, corpus, filler } = world;
  const stackId = `proof-${randomUUID()}`;
  await addStack(pool, stackId);
  const chunks = chunksOf(corpus, { seed: 0, document: 0 });
  const version = await addDocument(pool, { stackId, name: '0-0.md', chunks });
  await filler.write(version, MODEL, never);
  const of = (table) => `select ${table === 'passages' ? 'ordinal, length, words' : 'ordinal, place, vector'}
    from knowledge_search.${table}`;
  for (const table of ['passages', 'vectors']) {
    const own = `${of(table)} where document = 1`;
    const written = `${of(table)} where document = (select number from knowledge_search.documents where document_id = $1)`;
    const { rows } = await pool.query(
      `select (select count(*) from (${own}) rows) as own, (select count(*) from ((${own} except ${written}) union all (${written} except ${own})) rows) as differing`,
      [version.documentId],
    );
    if (Number(rows[0].own) !== chunks.length || Number(rows[0].differing) !== 0)
      throw new Error(
        `${table}: ${rows[0].differing} of ${rows[0].own} rows differ from those of the gateway`,
      );
  }
  await pool.query('delete from knowledge_documents where id = $1', [version.documentId]);
  console.log(
    `The ${chunks.length} rows of a document, in both tables, are those that the gateway writes.\n`,
  );
}
