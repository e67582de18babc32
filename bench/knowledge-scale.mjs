import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { askAll, askExactly, EmbeddedWorld, questionsOf, searchFor } from './knowledge/ask-world.mjs';
import { chunksOf, DOCUMENT_PASSAGES } from './knowledge/fill-tables.mjs';
import { DIFFERENT_STACKS, fill, STACK_PASSAGES } from './knowledge/fill-world.mjs';
import { addDocument, addStack } from './knowledge/scale-documents.mjs';
import { report } from './knowledge/scale-report.mjs';
import { MODEL, never, openWorld, timed } from './knowledge/scale-world.mjs';
import { randomFrom } from './knowledge/varied-passages.mjs';

// The address of a PostgreSQL of this machine that has pgvector; its user may create databases and extensions.
const { PGVECTOR_URL } = process.env;
// A database that stays: what is in it is not filled again, and the figures of other steps are reported too.
const { PGVECTOR_DATABASE } = process.env;
// The folder with both halves of the dev set of SQuAD 2.0, as chrischute/squad has them.
const FOLDER = process.env.KNOWLEDGE_SETS ?? '.cache/knowledge-sets';
const FULL = { passages: 1_000_000, stacks: 10_000, questions: 200 };
const QUICK = { passages: 6_000, stacks: 10, questions: 20 };
const EMBEDDED_SIZES = [1_000, 20_000, 100_000, 1_000_000];
const MOVED_STACKS = 10;
const ADDED_DOCUMENTS = 5;
const NEW_DOCUMENTS = 10;
const EXACT_AT_ONCE = 10;
const SEEDS = { large: 11, small: 17, stack: 13 };

/** In this order: the last one adds documents, of which exact search should know nothing. */
const STEPS = {
  fill,
  exact: compareExactly,
  ask: askLarge,
  small: askSmall,
  'small-exact': compareSmall,
  embedded: askEmbedded,
  indexing,
};

/** One large stack and many small ones in PostgreSQL: recall against exact search, cost of a question, size, rates. */
export async function run({ quick }) {
  if (PGVECTOR_URL === undefined || !existsSync(join(FOLDER, 'dev-v2.0.json'))) {
    console.log(
      `knowledge-scale: skipped; set PGVECTOR_URL to a PostgreSQL of this machine with pgvector, and KNOWLEDGE_SETS to a folder with dev-v2.0.json and test-v2.0.json\n`,
    );
    return { isSkipped: true };
  }
  const sizes = asked(quick ? QUICK : FULL);
  const world = await openWorld({ serverUrl: PGVECTOR_URL, folder: FOLDER, name: PGVECTOR_DATABASE });
  try {
    for (const step of chosenSteps()) await STEPS[step](world, sizes);
    await report(world, sizes);
  } finally {
    await world.close();
  }
}

/** `--passages N`, `--stacks N` and `--questions N` run less than everything. */
function asked(usual) {
  const names = Object.keys(usual);
  return Object.fromEntries(names.map((name) => [name, Number(option(name) ?? usual[name])]));
}

/** `--steps fill,ask` runs these; a database that stays keeps what they leave. */
function chosenSteps() {
  const names = option('steps')?.split(',') ?? Object.keys(STEPS);
  const unknown = names.filter((name) => !(name in STEPS));
  if (unknown.length > 0) throw new Error(`no step ${unknown}; there are ${Object.keys(STEPS)}`);
  return names;
}

function option(name) {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? undefined : process.argv[place + 1];
}

/** Can be interrupted: questions that were compared are not compared again. */
async function compareExactly(world, { questions: count }) {
  const questions = await questionsOf(world, count, SEEDS.large);
  const exact = (await world.figure('exact')) ?? [];
  while (exact.length < questions.length) {
    for (const question of questions.slice(exact.length, exact.length + EXACT_AT_ONCE))
      exact.push(await askExactly(world, { stackId: 'large', ...question }));
    await world.keep('exact', exact);
  }
}

async function askLarge(world, { questions: count }) {
  const questions = await questionsOf(world, count, SEEDS.large);
  await world.keep(
    'asked',
    await askAll(
      world,
      questions.map((question) => ({ stackId: 'large', ...question })),
    ),
  );
}

async function askSmall(world, sizes) {
  const questions = await smallQuestions(world, sizes);
  const own = await askAll(world, questions);
  await world.keep('small-asked', { own, again: await askAll(world, questions) });
}

async function compareSmall(world, sizes) {
  const different = Math.min(sizes.stacks, DIFFERENT_STACKS);
  const indexes = new Map();
  const exact = (await smallQuestions(world, sizes)).map((question) => {
    const seed = (question.place % different) + 1;
    const embedded = indexes.get(seed) ?? new EmbeddedWorld(world.corpus, seed);
    indexes.set(seed, embedded);
    embedded.growTo(STACK_PASSAGES);
    return embedded.askAll([question]).found[0];
  });
  await world.keep('small-exact', exact);
}

async function smallQuestions(world, { stacks, questions: count }) {
  const random = randomFrom(SEEDS.stack);
  const questions = await questionsOf(world, count, SEEDS.small);
  return questions.map((question) => {
    const place = Math.floor(random() * stacks);
    return { ...question, place, stackId: `small-${place}` };
  });
}

/** The index in memory takes minutes, and much of it. */
async function askEmbedded(world, { passages, questions: count }) {
  const questions = await questionsOf(world, count, SEEDS.large);
  const embedded = new EmbeddedWorld(world.corpus, 0);
  const sizes = [];
  for (const size of EMBEDDED_SIZES.filter((each) => each <= passages)) {
    embedded.growTo(size);
    const { times, found } = embedded.askAll(questions);
    const { sizeBytes } = embedded.index;
    sizes.push({ passages: size, sizeBytes, loadingCpuMs: embedded.loadingCpuMs, times, found });
  }
  await world.keep('embedded', sizes);
}

/** Through the gateway's own writer: rates, and how soon a new document is found. */
async function indexing(world) {
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
  await world.keep('indexed', {
    moving: { ...moving, count: MOVED_STACKS * STACK_PASSAGES },
    adding: { ...adding, count: ADDED_DOCUMENTS * DOCUMENT_PASSAGES },
    found: await timesUntilFound(world),
  });
}

/** From the moment a new document of a passage has its vectors until a question finds it. */
async function timesUntilFound({ pool, filler, corpus }) {
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
    if (!found.some(({ documentId }) => documentId === added.documentId))
      throw new Error('a new document was not found');
  }
  return times;
}
