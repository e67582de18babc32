import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChunkEmbedder } from '../dist/knowledge/chunk-embedder.js';
import {
  encoderFolder,
  readEncoderWeights,
  readWordPieces,
} from '../dist/knowledge/engines/embedded/encoder-weights.js';
import { SentenceEncoder } from '../dist/knowledge/engines/embedded/sentence-encoder.js';
import { MIN_RELEVANCE } from '../dist/knowledge/min-relevance.js';
import { IndexFiles } from '../dist/knowledge/search/index-files.js';
import { StackIndex } from '../dist/knowledge/search/stack-index.js';
import { chooseRelevance } from './knowledge/choose-relevance.mjs';
import { chooseWeights } from './knowledge/choose-weights.mjs';
import {
  isForChoosing,
  LANGUAGES,
  readOtherSets,
  readXquad,
  SHOWN_LANGUAGES,
} from './knowledge/question-sets.mjs';
import { markdownTable, median } from './statistics.mjs';

// A checkout of google-deepmind/xquad.
const folder = process.env.XQUAD ?? '.cache/xquad';
// Files of chrischute/squad, crux82/squad-it and ccasimiro88/TranslateAlignRetrieve.
const otherSets = process.env.KNOWLEDGE_SETS ?? '.cache/knowledge-sets';
const BATCH_CHUNKS = 32;
const LARGE_STACK_CHUNKS = 20_000;
const SENTENCES_PER_CHUNK = 5;
const PAGE_CHARACTERS = 3000;
const MIB = 2 ** 20;
const SMALL_TALK = [
  'hi',
  'Hello there!',
  'thanks',
  'Thank you so much for your help.',
  'ok',
  'How are you today?',
  'Good morning, who are you?',
  'Write a poem about the sea.',
  'Tell me a joke.',
  'Translate this sentence into French.',
  'Can you make it shorter?',
  'Write a Python function that sorts a list.',
  'yes please',
  'What can you do for me?',
  'Summarise the text above.',
  'I am bored, what should I do this weekend?',
  'bye',
  'Please fix the grammar in my last message.',
  'What is 17 times 23?',
  'That is not what I asked for.',
];

/** Recall of words, vectors and both; what choosing weights on one half of the questions does to the other; the effect of a threshold; the cost of a question and of indexing. */
export async function run({ quick }) {
  if (!existsSync(join(folder, 'xquad.en.json'))) {
    console.log(
      `knowledge: skipped, no ${folder}/xquad.en.json; set XQUAD to a checkout of google-deepmind/xquad\n`,
    );
    return { isSkipped: true };
  }
  const model = encoderFolder();
  const encoder = await SentenceEncoder.open(await readEncoderWeights(model), await readWordPieces(model));
  const stacks = {};
  for (const language of quick ? SHOWN_LANGUAGES : Object.keys(LANGUAGES))
    stacks[language] = await openSet(readXquad(folder, language), encoder);
  chooseWeights(stacks);
  chooseRelevance(stacks, SHOWN_LANGUAGES, indexOf);
  const plots = [reportRecall(stacks)];
  if (!quick) await reportOtherSets(stacks.en, encoder);
  await reportRelevance(stacks, encoder);
  reportIndexing(stacks.en);
  await reportLargeStack(stacks.en, { chunks: quick ? 2000 : LARGE_STACK_CHUNKS });
  return { plots };
}

/** Embeds and indexes a set: each paragraph is a document, the other paragraphs are there to be mistaken for it. */
async function openSet(set, encoder) {
  const chunks = set.texts.map((text) => ({ position: 0, text, headings: [] }));
  const embedding = await cpuOf(() => embedAll(chunks, encoder));
  const asking = await cpuOf(() =>
    vectorsOf(
      set.questions.map(({ question }) => question),
      encoder,
    ),
  );
  return {
    ...set,
    chunks: embedding.value,
    questions: set.questions.map((asked, place) => ({ ...asked, vector: asking.value[place] })),
    index: indexOf(embedding.value),
    embeddingMs: embedding.ms,
    askingMs: asking.ms,
  };
}

function embedAll(chunks, encoder) {
  const embedder = new ChunkEmbedder({
    embed: async (texts) => ({ vectors: await passageVectors(texts, encoder) }),
  });
  const batches = Array.from({ length: Math.ceil(chunks.length / BATCH_CHUNKS) }, (_, batch) =>
    chunks.slice(batch * BATCH_CHUNKS, (batch + 1) * BATCH_CHUNKS),
  );
  const work = { stackId: 'bench', signal: new AbortController().signal };
  return batches.reduce(
    async (done, batch) => [...(await done), ...(await embedder.embed(batch, work))],
    Promise.resolve([]),
  );
}

async function passageVectors(texts, encoder) {
  const { vectors } = await encoder.encode(texts);
  const width = vectors.length / texts.length;
  return texts.map((_, place) => vectors.slice(place * width, (place + 1) * width));
}

/** A batch slightly changes the numbers of a text, so questions are embedded alone. */
async function vectorsOf(questions, encoder) {
  const vectors = [];
  for (const question of questions) vectors.push((await encoder.encode([question])).vectors);
  return vectors;
}

/** Each paragraph is a document named after its number. */
function indexOf(chunks, names = chunks.map((_, place) => place)) {
  const index = new StackIndex();
  const versions = names.map((name) => ({ id: String(name), documentId: String(name), documentName: '' }));
  for (const [place, chunk] of chunks.entries())
    index.add(versions[place], [chunk], { isFirst: true, isLast: true });
  index.publish('1', versions);
  return index;
}

const WAYS = [
  ({ question }) => ({ question, vector: undefined }),
  ({ vector }) => ({ question: '', vector }),
  ({ question, vector }) => ({ question, vector }),
];

/** The questions that weights were not chosen on. */
function reported({ questions }) {
  return questions.filter((asked) => !isForChoosing(asked));
}

function reportRecall(stacks) {
  const rows = Object.entries(stacks).map(([language, stack]) => {
    const questions = reported(stack);
    return [LANGUAGES[language], ...WAYS.map((ask) => recall({ ...stack, questions }, ask))];
  });
  const count = reported(stacks.en).length;
  console.log(
    `XQuAD, 240 paragraphs, the ${count} questions of the second half of the articles, with the weights in use: recall at 5 (at 1), %\n`,
  );
  console.log(`${markdownTable(['', 'words', 'vectors', 'both'], rows)}\n`);
  return {
    file: 'knowledge-recall.svg',
    title: 'Knowledge: the right passage among the first five (XQuAD)',
    unit: `% of ${count} questions, with the weights in use; more is better`,
    bars: rows.slice(0, SHOWN_LANGUAGES.length).flatMap(([language, ...found]) =>
      ['words', 'vectors', 'both, as in use'].map((way, index) => ({
        label: `${language}, ${way}`,
        value: Number.parseFloat(found[index]),
        ours: index === 2,
      })),
    ),
  };
}

async function reportOtherSets(xquad, encoder) {
  const rows = [];
  for (const [name, set] of readOtherSets(otherSets, xquad)) {
    const opened = await openSet(set, encoder);
    const size = `${set.texts.length} paragraphs, ${set.questions.length} questions`;
    rows.push([name, size, ...WAYS.map((ask) => recall(opened, ask))]);
  }
  if (rows.length === 0) return console.log(`Other sets: none in ${otherSets}; set KNOWLEDGE_SETS\n`);
  console.log('Other sets, with the weights in use: recall at 5 (at 1), %\n');
  console.log(`${markdownTable(['', 'size', 'words', 'vectors', 'both'], rows)}\n`);
}

function recall({ index, questions }, ask) {
  const places = questions.map((asked) =>
    index
      .search({ ...ask(asked), most: 5 })
      .findIndex(({ documentId }) => documentId === String(asked.paragraph)),
  );
  const share = (count) => ((100 * count) / questions.length).toFixed(1);
  return `${share(places.filter((place) => place >= 0).length)} (${share(places.filter((place) => place === 0).length)})`;
}

/** The best relevance of questions with an answer in the stack, of questions whose article is not in it, of small talk. */
async function reportRelevance(stacks, encoder) {
  const kinds = {};
  for (const language of SHOWN_LANGUAGES) {
    const stack = stacks[language];
    kinds[`${LANGUAGES[language]}, answered`] = reported(stack).map((asked) =>
      bestRelevance(stack.index, asked),
    );
    kinds[`${LANGUAGES[language]}, article missing`] = relevanceWithoutArticle(stack);
  }
  const vectors = await vectorsOf(SMALL_TALK, encoder);
  kinds['small talk, English stack'] = SMALL_TALK.map((question, place) =>
    bestRelevance(stacks.en.index, { question, vector: vectors[place] }),
  );
  const words = reported(stacks.en).map(({ question }) => bestRelevance(stacks.en.index, { question }));
  kinds['English, answered, words only'] = words;
  kinds['English, article missing, words only'] = relevanceWithoutArticle(stacks.en, ({ question }) => ({
    question,
  }));
  kinds['small talk, words only'] = SMALL_TALK.map((question) =>
    bestRelevance(stacks.en.index, { question }),
  );
  const thresholds = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35];
  const rows = Object.entries(kinds).map(([kind, values]) => [
    kind,
    ...thresholds.map((threshold) =>
      ((100 * values.filter((value) => value >= threshold).length) / values.length).toFixed(1),
    ),
  ]);
  console.log(
    `Questions that get an excerpt, %, by the threshold of relevance (in use: ${MIN_RELEVANCE}), of the same half\n`,
  );
  console.log(`${markdownTable(['', ...thresholds.map(String)], rows)}\n`);
}

function bestRelevance(index, { question, vector }) {
  return Math.max(0, ...index.search({ question, vector, most: 5 }).map(({ relevance }) => relevance));
}

function relevanceWithoutArticle(stack, ask = (asked) => asked) {
  const questions = reported(stack);
  const articles = [...new Set(questions.map(({ article }) => article))];
  return articles.flatMap((article) => {
    const others = stack.chunks.filter((_, place) => stack.articles[place] !== article);
    const index = indexOf(others);
    return questions
      .filter((asked) => asked.article === article)
      .map((asked) => bestRelevance(index, ask(asked)));
  });
}

function reportIndexing({ chunks, questions, embeddingMs, askingMs }) {
  const characters = chunks.reduce((sum, { text }) => sum + text.length, 0);
  const pages = characters / PAGE_CHARACTERS;
  const start = process.cpuUsage();
  indexOf(chunks);
  const termsMs = cpuMs(start);
  console.log('Indexing, CPU (a page is 3,000 characters)\n');
  console.log(
    `${markdownTable(
      ['', 'ms a page', 'pages a CPU minute'],
      [
        ['embedding', (embeddingMs / pages).toFixed(1), Math.round((60_000 * pages) / embeddingMs)],
        [
          'words and vectors into the index',
          (termsMs / pages).toFixed(1),
          Math.round((60_000 * pages) / termsMs),
        ],
      ],
    )}\n\nEmbedding a question: ${(askingMs / questions.length).toFixed(1)} ms CPU\n`,
  );
}

/** Chunks of recombined sentences and vectors of XQuAD. */
async function reportLargeStack({ chunks, questions }, { chunks: wanted }) {
  const version = { id: 'large', documentId: 'large', documentName: 'large' };
  const index = new StackIndex();
  const sentences = chunks.flatMap(({ text }) => text.split(/(?<=[.!?]) /));
  let seed = 1;
  const pick = (list) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return list[seed % list.length];
  };
  const large = Array.from({ length: wanted }, (_, position) => ({
    position,
    headings: ['Large'],
    text: Array.from({ length: SENTENCES_PER_CHUNK }, () => pick(sentences)).join(' '),
    vectors: pick(chunks).vectors,
  }));
  const start = process.cpuUsage();
  index.add(version, large, { isFirst: true, isLast: true });
  index.publish('1', [version]);
  const buildMs = cpuMs(start);
  const times = questions.slice(0, 300).map(({ question, vector }) => {
    const before = process.cpuUsage();
    index.search({ question, vector, most: 20 });
    return cpuMs(before);
  });
  times.sort((left, right) => left - right);
  console.log(
    `A stack of ${wanted.toLocaleString('en')} chunks: ${median(times).toFixed(1)} ms CPU a question ` +
      `(95 %: ${times[Math.floor(times.length * 0.95)].toFixed(1)}), without its embedding; ` +
      `${Math.round(index.sizeBytes / MIB)} MiB; loaded in ${(buildMs / 1000).toFixed(1)} s CPU\n`,
  );
  await reportFile(index, version);
}

/** Saves an index and opens it from its file, in this process. */
async function reportFile(index, version) {
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-bench-index-'));
  try {
    const files = new IndexFiles(folder, 'bench', async () => 2 ** 40);
    const saving = await cpuOf(() => files.save('large', index));
    const opening = await cpuOf(() => {
      const opened = files.read('large');
      opened.publish('1', [version]);
      return opened;
    });
    const { size } = statSync(join(folder, readdirSync(folder)[0]));
    console.log(
      `Its file has ${Math.round(size / MIB)} MiB; it is saved in ${(saving.ms / 1000).toFixed(2)} s CPU; ` +
        `the stack opens from it in ${(opening.ms / 1000).toFixed(2)} s CPU and takes ${Math.round(opening.value.sizeBytes / MIB)} MiB\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function cpuOf(work) {
  const start = process.cpuUsage();
  const value = await work();
  return { value, ms: cpuMs(start) };
}

function cpuMs(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
