// Passages that are invented but not random: words are as frequent as in a language, and passages have topics, which their
// words and vectors share.

const DIMENSIONS = 384;
const VOCABULARY = 60_000;
const TOPIC_WORDS = 40;
const PASSAGE_WORDS = 60;
const SENTENCES = 4;
/** How far a passage is from its topic, a sentence from its passage, a question from a sentence; a topic has the length 1. */
const SPREAD = { passage: 0.7, sentence: 0.8, question: 0.7 };
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri flo gru'.split(
  ' ',
);

/** Numbers from 0 to 1 that are the same at every run. */
export function randomFrom(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Passage `number` of a stack with a topic for every `topicPassages`. */
export function inventPassage({ number, seed, topicPassages }) {
  const topicNumber = Math.floor(number / topicPassages);
  const topic = inventTopic(topicNumber, seed);
  const random = randomFrom((seed + 1) * 7_919 + number * 104_729);
  const centre = spread(topic.centre, SPREAD.passage, random);
  const vectors = Array.from({ length: SENTENCES }, () => spread(centre, SPREAD.sentence, random));
  const words = Array.from({ length: PASSAGE_WORDS }, () =>
    random() < 0.3 ? topic.words[Math.floor(random() * TOPIC_WORDS)] : wordOf(frequent(random)),
  );
  return { text: sentencesOf(words), words, vectors };
}

/** A question that the passage answers: some of its words among others, and a vector near one of its sentences. */
export function inventQuestion({ words, vectors }, random) {
  const some = Array.from({ length: 5 }, () => words[Math.floor(random() * words.length)]);
  const others = Array.from({ length: 2 }, () => wordOf(frequent(random)));
  const sentence = vectors[Math.floor(random() * vectors.length)];
  return {
    question: `${[...some, ...others].join(' ')}?`,
    vector: spread(sentence, SPREAD.question, random),
  };
}

const topics = new Map();

function inventTopic(number, seed) {
  const key = `${seed}/${number}`;
  let topic = topics.get(key);
  if (!topic) {
    const random = randomFrom((seed + 1) * 15_485_863 + number * 32_452_843);
    const centre = spread(new Float32Array(DIMENSIONS), 1, random);
    const words = Array.from({ length: TOPIC_WORDS }, () => wordOf(Math.floor(random() * VOCABULARY)));
    topic = { centre, words };
    topics.clear();
    topics.set(key, topic);
  }
  return topic;
}

/** By the law of Zipf: the second word is half as frequent as the first. */
function frequent(random) {
  return Math.floor(VOCABULARY ** random()) - 1;
}

function wordOf(number) {
  let rest = number + SYLLABLES.length;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

function sentencesOf(words) {
  const each = words.length / SENTENCES;
  return Array.from({ length: SENTENCES }, (_, place) =>
    words.slice(place * each, (place + 1) * each).join(' '),
  ).join('. ');
}

/** A unit vector near another one. */
function spread(centre, distance, random) {
  const vector = new Float32Array(DIMENSIONS);
  const step = distance / Math.sqrt(DIMENSIONS);
  let length = 0;
  for (let place = 0; place < DIMENSIONS; place += 1) {
    // The sum of three is close enough to a normal distribution, and has the variance 1 when doubled.
    const noise = 2 * (random() + random() + random() - 1.5);
    const value = (centre[place] ?? 0) + step * noise;
    vector[place] = value;
    length += value * value;
  }
  length = Math.sqrt(length);
  for (let place = 0; place < DIMENSIONS; place += 1) vector[place] /= length;
  return vector;
}
