// Passages that are not real, but made of real ones: the sentences of a corpus, with a part of their words exchanged for words
// of other sentences, and the vectors that the embedded encoder gives those sentences, moved by the difference of two others.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  encoderFolder,
  readEncoderWeights,
  readWordPieces,
} from '../../dist/knowledge/engines/embedded/encoder-weights.js';
import { SentenceEncoder } from '../../dist/knowledge/engines/embedded/sentence-encoder.js';
import { passagesOf } from '../../dist/knowledge/passages.js';

const DIMENSIONS = 512;
/** Halves of SQuAD 2.0 dev, as chrischute/squad has them. */
const FILES = ['dev-v2.0.json', 'test-v2.0.json'];
const VECTORS_FILE = 'corpus-vectors.bin';
const SENTENCES = 1;
/** The part of the words that is exchanged; half of them for words of the same article. */
const EXCHANGED_WORDS = 0.3;
/** How far a vector is moved: along the difference of two real ones, and at random. */
const MOVED = { along: 0.45, atRandom: 0.25 };
const NOISE_NUMBERS = 2 ** 17;

/** Numbers from 0 to 1 that are the same at every run. */
export function randomFrom(...seeds) {
  let state = 2_166_136_261;
  for (const seed of seeds) {
    state = Math.imul(state ^ (seed & 0xffff), 16_777_619);
    state = Math.imul(state ^ (seed >>> 16), 16_777_619);
    state ^= state >>> 15;
  }
  state = state >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The real sentences with their vectors, and the questions about them. */
export async function openCorpus(folder) {
  const articles = FILES.flatMap((file) => JSON.parse(readFileSync(join(folder, file))).data);
  const sentences = [];
  const ofArticle = articles.map(({ paragraphs }) => {
    const first = sentences.length;
    for (const { context } of paragraphs) sentences.push(...passagesOf(context));
    return { first, count: sentences.length - first };
  });
  const questions = articles.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ qas }) =>
      qas.filter((asked) => !asked.is_impossible).map((asked) => asked.question),
    ),
  );
  const model = encoderFolder();
  const encoder = await SentenceEncoder.open(await readEncoderWeights(model), await readWordPieces(model));
  const vectors = await vectorsOf(join(folder, VECTORS_FILE), sentences, encoder);
  return {
    ofArticle,
    words: sentences.map((sentence) => sentence.split(' ')),
    vectors,
    questions,
    noise: noise(),
    embed: async (text) => (await encoder.encode([text])).vectors,
  };
}

async function vectorsOf(file, sentences, encoder) {
  if (existsSync(file)) {
    const bytes = readFileSync(file);
    const kept = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    if (kept.length === sentences.length * DIMENSIONS) return kept;
  }
  const { vectors } = await encoder.encode(sentences);
  writeFileSync(file, new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength));
  return vectors;
}

function noise() {
  const random = randomFrom(1);
  // The sum of three is close enough to a normal distribution, and has the variance 1 when doubled.
  return Float32Array.from({ length: NOISE_NUMBERS }, () => 2 * (random() + random() + random() - 1.5));
}

/** Passage `number` of a stack; passages of one document are about one article. */
export function varyPassage(corpus, { seed, document, number }) {
  const random = randomFrom(seed, document, number);
  const article = pick(corpus.ofArticle, randomFrom(seed, document));
  const begin = article.first + Math.floor(random() * (article.count - SENTENCES + 1));
  const places = Array.from({ length: SENTENCES }, (_, place) => begin + place);
  return {
    text: places.map((place) => varyWords(corpus, article, place, random)).join(' '),
    vectors: places.map((place) => varyVector(corpus, place, random)),
  };
}

function varyWords({ words }, article, place, random) {
  return words[place]
    .map((word) => {
      if (random() >= EXCHANGED_WORDS) return word;
      const others =
        random() < 0.5
          ? words[article.first + Math.floor(random() * article.count)]
          : words[Math.floor(random() * words.length)];
      return pick(others, random);
    })
    .join(' ');
}

function varyVector({ vectors, noise: numbers }, place, random) {
  const count = vectors.length / DIMENSIONS;
  const base = place * DIMENSIONS;
  const towards = Math.floor(random() * count) * DIMENSIONS;
  const away = Math.floor(random() * count) * DIMENSIONS;
  const begin = Math.floor(random() * (NOISE_NUMBERS - DIMENSIONS));
  const step = MOVED.atRandom / Math.sqrt(DIMENSIONS);
  const vector = new Float32Array(DIMENSIONS);
  let length = 0;
  for (let each = 0; each < DIMENSIONS; each += 1) {
    const moved = MOVED.along * (vectors[towards + each] - vectors[away + each]);
    const value = vectors[base + each] + moved + step * numbers[begin + each];
    vector[each] = value;
    length += value * value;
  }
  const scale = 1 / Math.sqrt(length);
  for (let each = 0; each < DIMENSIONS; each += 1) vector[each] *= scale;
  return vector;
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}
