import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { packVectors } from '../dist/knowledge/packed-vectors.js';
import { DatabaseSearch } from '../dist/knowledge/search/database-search.js';
import { PassageRowMaker } from '../dist/knowledge/search/passage-row-maker.js';
import { StackIndex } from '../dist/knowledge/search/stack-index.js';
import { migrate } from '../dist/store/migrate.js';
import { SearchFiller } from '../dist/store/search-filler.js';
import { SearchIndexes } from '../dist/store/search-indexes.js';
import { SearchMoves } from '../dist/store/search-moves.js';
import { createSearchTables } from '../dist/store/search-tables.js';
import { SqlPassageFinder } from '../dist/store/sql-passage-finder.js';
import { inventPassage, inventQuestion, randomFrom } from './invented-passages.mjs';
import { treeCpuUs } from './process-tree.mjs';
import { markdownTable, median, quantile } from './statistics.mjs';

// The address of a PostgreSQL of this machine that has pgvector; its user may create databases and extensions.
const { PGVECTOR_URL } = process.env;
const FULL = { passages: 1_000_000, stacks: 10_000 };
const QUICK = { passages: 6_000, stacks: 10 };
const STACK_PASSAGES = 1_000;
const DOCUMENT_PASSAGES = 100;
const TOPIC_PASSAGES = 50;
const QUESTIONS = 200;
const NEW_DOCUMENTS = 10;
const BATCH = 500;
const MODEL = 'invented';
const MIB = 2 ** 20;
const never = new AbortController().signal;

/** One large stack and many small ones in PostgreSQL: recall against exact search, cost of a question, size, rates. */
export async function run({ quick }) {
  if (PGVECTOR_URL === undefined) {
    console.log('knowledge-scale: skipped; set PGVECTOR_URL to a PostgreSQL of this machine with pgvector\n');
    return { isSkipped: true };
  }
  const { passages, stacks } = asked(quick ? QUICK : FULL);
  const world = await openWorld();
  try {
    await reportLarge(world, passages);
    await reportSmall(world, stacks);
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

async function openWorld() {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: PGVECTOR_URL });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const pool = new pg.Pool({
    connectionString: Object.assign(new URL(PGVECTOR_URL), { pathname: `/${name}` }).href,
  });
  // The database is dropped while connections of the pool are still closing.
  pool.on('error', () => {});
  await migrate(pool);
  await createSearchTables(pool);
  const rows = new PassageRowMaker();
  const filler = new SearchFiller(pool, (batch, work) => rows.rows(batch, work));
  const { rows: versions } = await admin.query(
    `select current_setting('server_version') as server, (select default_version from pg_available_extensions where name = 'vector') as vector`,
  );
  console.log(
    `PostgreSQL ${versions[0].server} with pgvector ${versions[0].vector} on this machine, shared_buffers ${(await admin.query('show shared_buffers')).rows[0].shared_buffers}, ` +
      'maintenance_work_mem ' +
      `${(await admin.query('show maintenance_work_mem')).rows[0].maintenance_work_mem}. Invented passages: 60 words by Zipf's law, four vectors of 384 numbers, clustered in topics of ${TOPIC_PASSAGES} passages.\n`,
  );
  const close = async () => {
    await rows.stop(never);
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  };
  return {
    pool,
    filler,
    moves: new SearchMoves(pool, filler, MODEL),
    indexes: new SearchIndexes(pool),
    serverCpuMs: await serverClock(admin),
    close,
  };
}

async function reportLarge(world, passages) {
  await addStack(world.pool, 'large');
  await addPassages(world.pool, { stackId: 'large', seed: 0, passages });
  const moving = await timed(world, () => world.moves.moveAll(never));
  const building = await timed(world, () => world.indexes.tend(never));
  await world.pool.query('vacuum analyze knowledge_search.passages, knowledge_search.vectors');
  const embedded = loadEmbedded({ seed: 0, passages });
  const random = randomFrom(11);
  const questions = Array.from({ length: QUESTIONS }, () => {
    const number = Math.floor(random() * passages);
    return inventQuestion(inventPassage({ number, seed: 0, topicPassages: TOPIC_PASSAGES }), random);
  });
  const own = await askAll(
    world,
    questions.map((question) => ({ stackId: 'large', ...question })),
  );
  const exact = askEmbedded(embedded.index, questions);
  const size = await sizesOf(world.pool);
  console.log(`One stack of ${number(passages)} passages\n`);
  console.log(
    `${markdownTable(
      ['', 'postgres', 'embedded'],
      [
        ['recall at 5 against exact search, %', percent(recall(own.found, exact.found)), '100.0'],
        ['a question: median, ms', ms(median(own.times)), ms(median(exact.times))],
        ['a question: 95 %, ms', ms(quantile(own.times, 0.95)), ms(quantile(exact.times, 0.95))],
        [
          'a question: CPU, ms (of it in the gateway)',
          `${ms(own.cpuMs)} (${ms(own.ownCpuMs)})`,
          ms(exact.cpuMs),
        ],
        ['passages indexed a second', rate(passages, moving.ms), rate(passages, embedded.ms)],
        [
          'CPU of that, s (of it in the gateway)',
          `${s(moving.cpuMs)} (${s(moving.ownCpuMs)})`,
          s(embedded.cpuMs),
        ],
        ['indexes built in, s', s(building.ms), ''],
        [
          'size, MiB',
          `${size.words} words, ${size.vectors} vectors, on disk`,
          `${Math.round(embedded.index.sizeBytes / MIB)} in memory`,
        ],
        ['a new document is found after: median, ms', ms(await timeUntilFound(world, passages)), ''],
      ],
    )}\n`,
  );
}

async function reportSmall(world, stacks) {
  const start = performance.now();
  const names = Array.from({ length: stacks }, (_, place) => `small-${place}`);
  for (const [place, stackId] of names.entries()) {
    await addStack(world.pool, stackId);
    await addPassages(world.pool, { stackId, seed: place + 1, passages: STACK_PASSAGES });
  }
  const addedMs = performance.now() - start;
  const moving = await timed(world, () => world.moves.moveAll(never));
  await world.pool.query(
    'vacuum analyze knowledge_search.passages, knowledge_search.vectors, knowledge_search.documents',
  );
  const random = randomFrom(13);
  const questions = Array.from({ length: QUESTIONS }, () => {
    const place = Math.floor(random() * stacks);
    const number = Math.floor(random() * STACK_PASSAGES);
    const passage = inventPassage({ number, seed: place + 1, topicPassages: TOPIC_PASSAGES });
    return { stackId: names[place], place, ...inventQuestion(passage, random) };
  });
  const own = await askAll(world, questions);
  const sample = questions.slice(0, 20);
  const exact = sample.map((question) => {
    const { index } = loadEmbedded({ seed: question.place + 1, passages: STACK_PASSAGES });
    return askEmbedded(index, [question]).found[0];
  });
  const size = await sizesOf(world.pool);
  console.log(`${number(stacks)} stacks of ${number(STACK_PASSAGES)} passages, beside the large one\n`);
  console.log(
    `${markdownTable(
      ['', 'postgres'],
      [
        [
          'recall at 5 against exact search (20 questions), %',
          percent(recall(own.found.slice(0, 20), exact)),
        ],
        ['a question to any stack: median, ms', ms(median(own.times))],
        ['a question to any stack: 95 %, ms', ms(quantile(own.times, 0.95))],
        ['a question: CPU, ms (of it in the gateway)', `${ms(own.cpuMs)} (${ms(own.ownCpuMs)})`],
        ['passages indexed a second', rate(stacks * STACK_PASSAGES, moving.ms)],
        ['size of all stacks, MiB', `${size.words} words, ${size.vectors} vectors`],
      ],
    )}\n\nInventing and storing the passages took ${s(addedMs)} s.\n`,
  );
}

async function addStack(pool, id) {
  await pool.query(`insert into accounts (id) values ('bench') on conflict do nothing`);
  await pool.query(
    `insert into stacks (id, account_id, plan, image_plan, limits, declared) values ($1, 'bench', 'enterprise', false, '{}', false)`,
    [id],
  );
}

async function addPassages(pool, { stackId, seed, passages }) {
  for (let from = 0; from < passages; from += DOCUMENT_PASSAGES) {
    const most = Math.min(DOCUMENT_PASSAGES, passages - from);
    await addDocument(pool, { stackId, seed, from, most });
  }
}

async function addDocument(pool, { stackId, seed, from, most, isSearchable = true }) {
  const id = `doc_${randomBytes(16).toString('hex')}`;
  await pool.query(
    `insert into knowledge_documents (id, stack_id, name, declared, blob, sha256, size_bytes, state, searchable_version, chunks, embedding_model)
     values ($1, $2, $3, false, $1, repeat('0', 64), 1, 'ready', $4, $5, $6)`,
    [id, stackId, `${seed}-${from}.md`, isSearchable ? 1 : null, most, MODEL],
  );
  for (let begin = 0; begin < most; begin += BATCH) {
    const places = Array.from({ length: Math.min(BATCH, most - begin) }, (_, place) => begin + place);
    const invented = places.map((place) =>
      inventPassage({ number: from + place, seed, topicPassages: TOPIC_PASSAGES }),
    );
    await pool.query(
      `insert into knowledge_chunks (document_id, version, ordinal, text, headings, vectors, embedding_model)
       select $1, 1, ordinal, text, '{}', vectors, $2 from unnest($3::integer[], $4::text[], $5::bytea[]) as given (ordinal, text, vectors)`,
      [
        id,
        MODEL,
        places,
        invented.map(({ text }) => text),
        invented.map(({ vectors }) => packVectors(vectors)),
      ],
    );
  }
  return id;
}

/** From the moment a new document of a passage has its vectors until a question finds it. */
async function timeUntilFound({ pool, filler }, passages) {
  const times = [];
  for (let place = 0; place < NEW_DOCUMENTS; place += 1) {
    const from = passages + place * TOPIC_PASSAGES;
    const documentId = await addDocument(pool, {
      stackId: 'large',
      seed: 0,
      from,
      most: 1,
      isSearchable: false,
    });
    const passage = inventPassage({ number: from, seed: 0, topicPassages: TOPIC_PASSAGES });
    const start = performance.now();
    await filler.write({ documentId, stackId: 'large', version: 1, name: 'new.md' }, MODEL, never);
    await pool.query('update knowledge_documents set searchable_version = version where id = $1', [
      documentId,
    ]);
    const found = await searchFor(pool, passage.vectors[0]).search('large', passage.text, {
      most: 5,
      signal: never,
    });
    times.push(performance.now() - start);
    if (found[0]?.documentId !== documentId) throw new Error('a new document was not found first');
  }
  return median(times);
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
function loadEmbedded({ seed, passages }) {
  const index = new StackIndex();
  const versions = [];
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  let inventingMs = 0;
  for (let from = 0; from < passages; from += DOCUMENT_PASSAGES) {
    const begin = performance.now();
    const chunks = Array.from({ length: Math.min(DOCUMENT_PASSAGES, passages - from) }, (_, position) => {
      const { text, vectors } = inventPassage({
        number: from + position,
        seed,
        topicPassages: TOPIC_PASSAGES,
      });
      return { position, text, headings: [], vectors: packVectors(vectors) };
    });
    inventingMs += performance.now() - begin;
    const documentName = `${seed}-${from}.md`;
    const version = { id: documentName, documentId: documentName, documentName };
    versions.push(version);
    index.add(version, chunks, { isFirst: true, isLast: true });
  }
  index.publish('1', versions);
  return { index, ms: performance.now() - start - inventingMs, cpuMs: cpuMs(cpu) - inventingMs };
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

async function sizesOf(pool) {
  const { rows } = await pool.query(
    `select pg_total_relation_size('knowledge_search.passages') as words, pg_total_relation_size('knowledge_search.vectors') as vectors`,
  );
  return { words: Math.round(rows[0].words / MIB), vectors: Math.round(rows[0].vectors / MIB) };
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
