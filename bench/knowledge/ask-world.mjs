import { DatabaseSearch } from '../../dist/knowledge/search/database-search.js';
import { fusedScore } from '../../dist/knowledge/search/fuse-scores.js';
import { StackIndex } from '../../dist/knowledge/search/stack-index.js';
import { findPassages } from '../../dist/store/find-passages.js';
import { readStack } from '../../dist/store/search-stack.js';
import { SqlPassageFinder } from '../../dist/store/sql-passage-finder.js';
import { chunksOf, DOCUMENT_PASSAGES } from './fill-tables.mjs';
import { cpuMs, MODEL, never, withClient } from './scale-world.mjs';
import { randomFrom } from './varied-passages.mjs';

const MOST = 5;
const WARMING_QUESTIONS = 20;

/** Real questions of the corpus, with their vectors. */
export async function questionsOf({ corpus }, count, seed) {
  const random = randomFrom(seed);
  const questions = [];
  for (let place = 0; place < count; place += 1) {
    const question = corpus.questions[Math.floor(random() * corpus.questions.length)];
    questions.push({ question, vector: await corpus.embed(question) });
  }
  return questions;
}

/** The search of the gateway; embedding the question costs nothing here. */
export function searchFor(pool, vector) {
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

/** The search of the gateway, with the time of each question and the CPU of one. */
export async function askAll({ pool, serverCpuMs }, questions) {
  const times = [];
  const found = [];
  const ask = ({ stackId, question, vector }) =>
    searchFor(pool, vector).search(stackId, question, { most: MOST, signal: never });
  for (const question of questions.slice(0, WARMING_QUESTIONS)) await ask(question);
  const [own, server] = [process.cpuUsage(), serverCpuMs()];
  for (const question of questions) {
    const start = performance.now();
    found.push((await ask(question)).map(({ documentName, position }) => `${documentName}/${position}`));
    times.push(performance.now() - start);
  }
  const ownCpuMs = cpuMs(own) / questions.length;
  return { times, found, ownCpuMs, cpuMs: ownCpuMs + (serverCpuMs() - server) / questions.length };
}

/** Compares every passage of a stack, as is done in stacks without indexes. */
export function askExactly(world, { stackId, question, vector }) {
  return withClient(world, async (client) => {
    await client.query('begin transaction isolation level repeatable read, read only');
    const stack = await readStack(client, stackId, MODEL);
    const spaces = stack.spaces.map((space) => ({ ...space, isLarge: false }));
    const { passages, bounds } = await findPassages(client, {
      stack: { ...stack, spaces },
      question,
      vector,
    });
    const best = bestOf(passages, (passage) => fusedScore(passage, bounds));
    const { rows } = await client.query(
      `select number, name from knowledge_search.documents filled join knowledge_documents known on known.id = document_id
       where number = any ($1)`,
      [best.map(({ document }) => document)],
    );
    const names = new Map(rows.map(({ number, name }) => [number, name]));
    return best.map(({ document, ordinal }) => `${names.get(document)}/${ordinal}`);
  });
}

function bestOf(passages, scoreOf) {
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage) }))
    .filter(({ score }) => score > 0)
    .sort(
      (left, right) =>
        right.score - left.score ||
        left.passage.document - right.passage.document ||
        left.passage.ordinal - right.passage.ordinal,
    )
    .slice(0, MOST)
    .map(({ passage }) => passage);
}

/** The index that the embedded kind has in memory, of the same passages; it grows by documents. */
export class EmbeddedWorld {
  index = new StackIndex();
  /** Without inventing the passages. */
  loadingCpuMs = 0;
  #corpus;
  #seed;
  #versions = [];

  constructor(corpus, seed) {
    this.#corpus = corpus;
    this.#seed = seed;
  }

  growTo(passages) {
    for (let document = this.#versions.length; document < passages / DOCUMENT_PASSAGES; document += 1) {
      const chunks = chunksOf(this.#corpus, { seed: this.#seed, document });
      const begin = process.cpuUsage();
      const documentName = `${this.#seed}-${document}.md`;
      const version = { id: documentName, documentId: documentName, documentName };
      this.#versions.push(version);
      this.index.add(version, chunks, { isFirst: true, isLast: true });
      this.loadingCpuMs += cpuMs(begin);
    }
    this.index.publish(String(passages), this.#versions);
  }

  /** Found passages, and the CPU of each question. */
  askAll(questions) {
    const times = [];
    const found = questions.map((question) => {
      const begin = process.cpuUsage();
      const best = this.index.search({ ...question, most: MOST });
      times.push(cpuMs(begin));
      return best.map(({ documentName, position }) => `${documentName}/${position}`);
    });
    return { times, found };
  }
}
