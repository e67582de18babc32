import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { DatabaseSearch } from '../dist/knowledge/search/database-search.js';
import { PassageRowMaker } from '../dist/knowledge/search/passage-row-maker.js';
import { StackIndex } from '../dist/knowledge/search/stack-index.js';
import { migrate } from '../dist/store/migrate.js';
import { SearchFiller } from '../dist/store/search-filler.js';
import { SearchIndexes } from '../dist/store/search-indexes.js';
import { SearchMoves } from '../dist/store/search-moves.js';
import { createSearchTables } from '../dist/store/search-tables.js';
import { SqlPassageFinder } from '../dist/store/sql-passage-finder.js';
import { copyStacks } from './knowledge/copy-stacks.mjs';
import {
  chunksOf,
  DOCUMENT_PASSAGES,
  documentsOf,
  fillDocuments,
  fillPassages,
  fillStacks,
} from './knowledge/fill-tables.mjs';
import { openCorpus, randomFrom } from './knowledge/varied-passages.mjs';
import { treeCpuUs } from './process-tree.mjs';
import { markdownTable, median, quantile } from './statistics.mjs';

// The address of a PostgreSQL of this machine that has pgvector; its user may create databases and extensions.
const { PGVECTOR_URL } = process.env;
// A database that stays: what is in it is not filled again.
const { PGVECTOR_DATABASE } = process.env;
// The folder with both halves of the dev set of SQuAD 2.0, as chrischute/squad has them.
const FOLDER = process.env.KNOWLEDGE_SETS ?? '.cache/knowledge-sets';
const FULL = { passages: 1_000_000, stacks: 10_000 };
const QUICK = { passages: 6_000, stacks: 10 };
const STACK_PASSAGES = 1_000;
/** Small stacks that differ; the others are copies of them. */
const DIFFERENT_STACKS = 100;
const MOVED_STACKS = 10;
const ADDED_DOCUMENTS = 5;
const QUESTIONS = 200;
const CHECKED_QUESTIONS = 50;
const NEW_DOCUMENTS = 10;
const FILLING_THREADS = 2;
/** The model of the embedded encoder, whose vectors these are. */
const MODEL = 'universal-sentence-encoder-lite';
const LARGE = { stackId: 'large', seed: 0, words: 1, vectors: 2 };
const MIB = 2 ** 20;
const never = new AbortController().signal;

/** One large stack and many small ones in PostgreSQL: recall against exact search, cost of a question, size, rates. */
export async function run({ quick }) {
  if (PGVECTOR_URL === undefined || !existsSync(join(FOLDER, 'dev-v2.0.json'))) {
    console.log(
      `knowledge-scale: skipped; set PGVECTOR_URL to a PostgreSQL of this machine with pgvector, and KNOWLEDGE_SETS to a folder with dev-v2.0.json and test-v2.0.json\n`,
    );
    return { isSkipped: true };
  }
  const { passages, stacks } = asked(quick ? QUICK : FULL);
  const corpus = await openCorpus(FOLDER);
  const world = await openWorld(corpus);
  try {
    if (!(await world.figure('large'))) await fillLarge(world, passages);
    await requireSameRows(world);
    if (!(await world.figure('small'))) await fillSmall(world, stacks);
    const questions = await questionsOf(world, QUESTIONS, 11);
    const own = await askAll(
      world,
      questions.map((question) => ({ stackId: 'large', ...question })),
    );
    await reportSmall(world, stacks);
    await reportIndexing(world, passages);
    // The index in memory takes minutes, and all of it.
    await reportLarge(world, { passages, questions, own });
  } finally {
    await world.close();
  }
}

/** `--passages N` and `--stacks N` run less than everything. */
function asked(usual) {
  const option = (name) => {
    const place = process.argv.indexOf(`--${name}`);
    return place < 0 ? usual[name] : Number(process.argv[place + 1]);
  };
  return { passages: option('passages'), stacks: option('stacks') };
}

async function openWorld(corpus) {
  const name = PGVECTOR_DATABASE ?? `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: PGVECTOR_URL });
  await admin.connect();
  const there = await admin.query('select from pg_database where datname = $1', [name]);
  if (there.rowCount === 0) await admin.query(`create database ${name}`);
  const url = Object.assign(new URL(PGVECTOR_URL), { pathname: `/${name}` }).href;
  const pool = new pg.Pool({ connectionString: url });
  // The database is dropped while connections of the pool are still closing.
  pool.on('error', () => {});
  await migrate(pool);
  await createSearchTables(pool);
  await pool.query('create table if not exists bench_figures (name text primary key, value jsonb not null)');
  const rows = new PassageRowMaker();
  const filler = new SearchFiller(pool, (batch, work) => rows.rows(batch, work));
  const { rows: versions } = await pool.query(
    `select current_setting('server_version') as server, current_setting('shared_buffers') as buffers,
       current_setting('maintenance_work_mem') as memory, current_setting('max_parallel_maintenance_workers') as workers, extversion as vector
     from pg_extension where extname = 'vector'`,
  );
  const { server, vector, buffers, memory, workers } = versions[0];
  console.log(
    `PostgreSQL ${server} with pgvector ${vector} on this machine, shared_buffers ${buffers}, maintenance_work_mem ${memory}, ${workers} parallel workers.\n`,
  );
  const close = async () => {
    await rows.stop(never);
    await pool.end();
    if (PGVECTOR_DATABASE === undefined) await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  return {
    url,
    pool,
    corpus,
    filler,
    moves: new SearchMoves(pool, filler, MODEL),
    indexes: new SearchIndexes(pool),
    serverCpuMs: await serverClock(admin),
    figure: async (key) =>
      (await pool.query('select value from bench_figures where name = $1', [key])).rows[0]?.value,
    keep: (key, value) =>
      pool.query(
        'insert into bench_figures values ($1, $2) on conflict (name) do update set value = excluded.value',
        [key, JSON.stringify(value)],
      ),
    close,
  };
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
      const workerData = { url: world.url, folder: FOLDER, documents: part, words, vectors, model: MODEL };
      const worker = new Worker(new URL('./knowledge/fill-worker.mjs', import.meta.url), { workerData });
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

async function withClient({ url }, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
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

async function reportLarge(world, { passages, questions, own }) {
  const { buildMs, buildCpuMs } = await world.figure('large');
  const size = await sizesOf(world.pool);
  const embedded = loadEmbedded(world.corpus, { seed: 0, passages });
  const exact = askEmbedded(embedded.index, questions);
  console.log(`One stack of ${number(passages)} passages, ${QUESTIONS} questions\n`);
  console.log(
    `${markdownTable(
      ['', 'postgres', 'embedded, in one process'],
      [
        ['recall at 5 against exact search, %', percent(recall(own.found, exact.found)), '100.0'],
        ['the first passage is that of exact search, %', percent(first(own.found, exact.found)), '100.0'],
        ['a question: median, ms', ms(median(own.times)), ms(median(exact.times))],
        ['a question: 95 %, ms', ms(quantile(own.times, 0.95)), ms(quantile(exact.times, 0.95))],
        [
          'a question: CPU, ms (of it in the gateway)',
          `${ms(own.cpuMs)} (${ms(own.ownCpuMs)})`,
          ms(exact.cpuMs),
        ],
        ['indexes built in, s (CPU)', `${s(buildMs)} (${s(buildCpuMs)})`, ''],
        ['loaded in, s of CPU', '', s(embedded.cpuMs)],
        [
          'indexes of this stack, MiB',
          size.indexes,
          `${Math.round(embedded.index.sizeBytes / MIB)} in memory`,
        ],
      ],
    )}\n`,
  );
}

async function reportSmall(world, stacks) {
  const random = randomFrom(13);
  const questions = (await questionsOf(world, QUESTIONS, 17)).map((question) => {
    const place = Math.floor(random() * stacks);
    return { ...question, place, stackId: `small-${place}` };
  });
  const own = await askAll(world, questions);
  const again = await askAll(world, questions);
  const checked = questions.slice(0, CHECKED_QUESTIONS);
  const exact = checked.map((question) => {
    const seed = (question.place % Math.min(stacks, DIFFERENT_STACKS)) + 1;
    const { index } = loadEmbedded(world.corpus, { seed, passages: STACK_PASSAGES });
    return askEmbedded(index, [question]).found[0];
  });
  const size = await sizesOf(world.pool);
  const found = own.found.slice(0, CHECKED_QUESTIONS);
  console.log(
    `${number(stacks)} stacks of ${number(STACK_PASSAGES)} passages, beside the large one; ${QUESTIONS} questions, each to any of them\n`,
  );
  console.log(
    `${markdownTable(
      ['', 'asked first', 'asked again'],
      [
        [
          `recall at 5 against exact search (${CHECKED_QUESTIONS} questions), %`,
          percent(recall(found, exact)),
          '',
        ],
        ['a question: median, ms', ms(median(own.times)), ms(median(again.times))],
        ['a question: 95 %, ms', ms(quantile(own.times, 0.95)), ms(quantile(again.times, 0.95))],
        [
          'a question: CPU, ms (of it in the gateway)',
          `${ms(own.cpuMs)} (${ms(own.ownCpuMs)})`,
          `${ms(again.cpuMs)} (${ms(again.ownCpuMs)})`,
        ],
      ],
    )}\n\nOn disk, all stacks together: ${size.words} MiB words, ${size.vectors} MiB vectors, ${size.texts} MiB texts.\n`,
  );
}

/** Through the gateway's own writer: rates, and how soon a new document is found. */
async function reportIndexing(world, passages) {
  const { pool, corpus, moves } = world;
  for (let place = 0; place < MOVED_STACKS; place += 1) {
    const stackId = `moved-${randomUUID()}`;
    await addStack(pool, stackId);
    for (let document = 0; document < STACK_PASSAGES / DOCUMENT_PASSAGES; document += 1) {
      const chunks = chunksOf(corpus, { seed: 90_000 + place, document });
      await addDocument(pool, { stackId, name: `${document}.md`, chunks });
    }
  }
  const moving = await timed(world, () => moves.moveAll(never));
  for (let place = 0; place < ADDED_DOCUMENTS; place += 1) {
    const chunks = chunksOf(corpus, { seed: 95_000, document: place });
    await addDocument(pool, { stackId: 'large', name: `added-${randomUUID()}.md`, chunks });
  }
  const adding = await timed(world, () => moves.moveAll(never));
  const found = await timeUntilFound(world);
  const rows = [
    ['into small stacks', MOVED_STACKS * STACK_PASSAGES, moving],
    [`into the stack of ${number(passages)}, with its indexes`, ADDED_DOCUMENTS * DOCUMENT_PASSAGES, adding],
  ].map(([where, count, { ms: tookMs, cpuMs: cpu, ownCpuMs }]) => [
    where,
    rate(count, tookMs),
    `${ms(cpu / count)} (${ms(ownCpuMs / count)})`,
  ]);
  console.log('Indexing by the gateway, without embedding\n');
  console.log(
    `${markdownTable(['', 'passages a second', 'CPU a passage, ms (of it in the gateway)'], rows)}\n\nA new document of one passage is found in the large stack after ${ms(median(found))} ms (median of ${NEW_DOCUMENTS}; longest ${ms(Math.max(...found))}).\n`,
  );
}

async function addStack(pool, id) {
  await pool.query(`insert into accounts (id) values ('bench') on conflict do nothing`);
  await pool.query(
    `insert into stacks (id, account_id, plan, image_plan, limits, declared) values ($1, 'bench', 'enterprise', false, '{}', false)`,
    [id],
  );
}

/** A document as the gateway has it once its passages have their vectors. */
async function addDocument(pool, { stackId, name, chunks, isSearchable = true }) {
  const documentId = `doc_${randomBytes(16).toString('hex')}`;
  await pool.query(
    `insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, searchable_version, chunks, embedding_model)
     values ($1, $2, $3, false, $1, repeat('0', 64), 1, 'ready', $4, $5, $6)`,
    [documentId, stackId, name, isSearchable ? 1 : null, chunks.length, MODEL],
  );
  await pool.query(
    `insert into knowledge_chunks (document_id, version, ordinal, text, headings, vectors, embedding_model)
     select $1, 1, ordinal, text, '{}', vectors, $2 from unnest($3::integer[], $4::text[], $5::bytea[]) as given (ordinal, text, vectors)`,
    [
      documentId,
      MODEL,
      chunks.map(({ position }) => position),
      chunks.map(({ text }) => text),
      chunks.map(({ vectors }) => vectors),
    ],
  );
  return { documentId, stackId, version: 1, name };
}

/** From the moment a new document of a passage has its vectors until a question finds it. */
async function timeUntilFound({ pool, filler, corpus }) {
  const times = [];
  for (let place = 0; place < NEW_DOCUMENTS; place += 1) {
    const [chunk] = chunksOf(corpus, { seed: 97_000 + place, document: place }, 1);
    const name = `new-${randomUUID()}.md`;
    const added = await addDocument(pool, { stackId: 'large', name, chunks: [chunk], isSearchable: false });
    const vector = await corpus.embed(chunk.text);
    const start = performance.now();
    await filler.write(added, MODEL, never);
    await pool.query('update knowledge_documents set searchable_version = version where id = $1', [
      added.documentId,
    ]);
    const found = await searchFor(pool, vector).search('large', chunk.text, { most: 5, signal: never });
    times.push(performance.now() - start);
    if (found[0]?.documentId !== added.documentId) throw new Error('a new document was not found first');
  }
  return times;
}

/** Real questions of the corpus, with their vectors. */
async function questionsOf({ corpus }, count, seed) {
  const random = randomFrom(seed);
  const questions = [];
  for (let place = 0; place < count; place += 1) {
    const question = corpus.questions[Math.floor(random() * corpus.questions.length)];
    questions.push({ question, vector: await corpus.embed(question) });
  }
  return questions;
}

function searchFor(pool, vector) {
  return new DatabaseSearch({
    finder: new SqlPassageFinder(pool),
    meanwhile: {
      search: () => {
        throw new Error('a stack is not in the tables of the search');
      },
    },
    embeddings: {
      model: MODEL,
      lifecycle: { state: 'ready' },
      embed: async () => ({ vectors: [vector], tokens: 0 }),
    },
    onEmbeddingsFailure: (error) => {
      throw error;
    },
  });
}

async function askAll({ pool, serverCpuMs }, questions) {
  const times = [];
  const found = [];
  const ask = ({ stackId, question, vector }) =>
    searchFor(pool, vector).search(stackId, question, { most: 5, signal: never });
  for (const question of questions.slice(0, 20)) await ask(question);
  const [own, server] = [process.cpuUsage(), serverCpuMs()];
  for (const question of questions) {
    const start = performance.now();
    found.push((await ask(question)).map(({ documentName, position }) => `${documentName}/${position}`));
    times.push(performance.now() - start);
  }
  const ownCpuMs = cpuMs(own) / questions.length;
  return { times, found, ownCpuMs, cpuMs: ownCpuMs + (serverCpuMs() - server) / questions.length };
}

/** The index that the embedded kind has in memory, from the same passages. */
function loadEmbedded(corpus, { seed, passages }) {
  const index = new StackIndex();
  const versions = [];
  const cpu = process.cpuUsage();
  let inventingMs = 0;
  for (let document = 0; document < passages / DOCUMENT_PASSAGES; document += 1) {
    const begin = process.cpuUsage();
    const chunks = chunksOf(corpus, { seed, document });
    inventingMs += cpuMs(begin);
    const documentName = `${seed}-${document}.md`;
    const version = { id: documentName, documentId: documentName, documentName };
    versions.push(version);
    index.add(version, chunks, { isFirst: true, isLast: true });
  }
  index.publish('1', versions);
  return { index, cpuMs: cpuMs(cpu) - inventingMs };
}

function askEmbedded(index, questions) {
  const times = [];
  const start = process.cpuUsage();
  const found = questions.map((question) => {
    const begin = performance.now();
    const best = index.search({ ...question, most: 5 });
    times.push(performance.now() - begin);
    return best.map(({ documentName, position }) => `${documentName}/${position}`);
  });
  return { times, found, cpuMs: cpuMs(start) / questions.length };
}

function recall(found, exact) {
  const fractions = exact.map((expected, place) => {
    const there = new Set(found[place]);
    return expected.filter((key) => there.has(key)).length / expected.length;
  });
  return fractions.reduce((sum, fraction) => sum + fraction, 0) / fractions.length;
}

function first(found, exact) {
  return exact.filter(([key], place) => found[place][0] === key).length / exact.length;
}

async function sizesOf(pool) {
  const { rows } = await pool.query(
    `select pg_total_relation_size('knowledge_search.passages') as words, pg_total_relation_size('knowledge_search.vectors') as vectors,
       pg_total_relation_size('knowledge_chunks') as texts, pg_relation_size(to_regclass('knowledge_search.space_1')) as gin,
       pg_relation_size(to_regclass('knowledge_search.space_2')) as hnsw`,
  );
  const mib = (bytes) => number(Math.round(bytes / MIB));
  const { words, vectors, texts, gin, hnsw } = rows[0];
  return {
    words: mib(words),
    vectors: mib(vectors),
    texts: mib(texts),
    indexes: `${mib(gin)} words, ${mib(hnsw)} vectors`,
  };
}

/** The CPU time of all processes of the server, ended ones included. */
async function serverClock(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const [, parent] = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'));
  return () => treeCpuUs(Number(parent)) / 1000;
}

async function timed({ serverCpuMs }, work) {
  const [start, own, server] = [performance.now(), process.cpuUsage(), serverCpuMs()];
  await work();
  const ownCpuMs = cpuMs(own);
  return { ms: performance.now() - start, ownCpuMs, cpuMs: ownCpuMs + serverCpuMs() - server };
}

function cpuMs(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const ms = (value) => value.toFixed(1);
const s = (value) => (value / 1000).toFixed(1);
const percent = (value) => (100 * value).toFixed(1);
const rate = (count, tookMs) => number(Math.round((1000 * count) / tookMs));
const number = (value) => value.toLocaleString('en');
