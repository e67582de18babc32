import { markdownTable } from '../statistics.mjs';
import { isForChoosing, LANGUAGES, meanOfLanguages } from './question-sets.mjs';
import { WeightedWords } from './weighted-words.mjs';

/** As in `bm25-index.ts` and `fuse-scores.ts`. */
const IN_USE = { saturation: 0.9, lengthFraction: 0.75, prefixWeight: 0.75, meaningWeight: 0.7 };
/** Chosen on all questions, so they flatter on both halves. */
const FORMER = { saturation: 1.2, lengthFraction: 0.5, prefixWeight: 0.5, meaningWeight: 0.7 };
const GRID = {
  saturation: [0.4, 0.6, 0.9, 1.2, 1.6],
  // The paragraphs of XQuAD are about equally long. A length counts no more than usual, or chunks of a few words win elsewhere.
  lengthFraction: [0.25, 0.5, 0.75],
  prefixWeight: [0.25, 0.5, 0.75, 1, 1.25],
  meaningWeight: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9, 1.2],
};
const DEEPEST = 10;
const CHECKED_QUESTIONS = 50;

/** Chooses weights on one half of the articles: those with the highest mean of languages. Reports them on both halves. */
export function chooseWeights(stacks) {
  const languages = Object.keys(stacks);
  const opened = languages.map((language) => prepare(stacks[language]));
  for (const [place, prepared] of opened.entries()) requireSame(stacks[languages[place]], prepared);
  const chosen = bestWeights(languages, opened);
  const columns = [chosenOn, reportedOn].flatMap((half) =>
    [FORMER, chosen].map((weights) =>
      opened.map((prepared) => 100 * meanReciprocal(prepared, half(prepared), weights)),
    ),
  );
  const rows = languages.map((language, place) => [
    LANGUAGES[language],
    ...columns.map((values) => values[place].toFixed(1)),
  ]);
  const means = columns.map((values) => meanOfLanguages(languages, values).toFixed(1));
  console.log(
    `Weights of words and fusion: mean reciprocal rank among the first ${DEEPEST}, × 100. Chosen of ${gridSize()} by the highest mean on the questions of every other article of XQuAD: ${described(chosen)}. ` +
      `The other articles were not looked at. In the mean, English counts as much as all other languages together: the embedded encoder knows no other. ` +
      `In use: ${described(IN_USE)}. Before: ${described(FORMER)}, chosen on all questions.\n`,
  );
  const heads = ['chosen on: before', 'chosen', 'reported on: before', 'chosen'];
  console.log(`${markdownTable(['', ...heads], [...rows, ['mean, English half of it', ...means]])}\n`);
}

function bestWeights(languages, opened) {
  const tables = opened.map((prepared) => scoreTable(prepared, chosenOn(prepared)));
  let best = { weights: IN_USE, score: -1 };
  for (const [place, weights] of [...wordGrid()].flatMap(withMeaning).entries()) {
    const score = meanOfLanguages(
      languages,
      tables.map((scores) => scores[place]),
    );
    if (score > best.score) best = { weights, score };
  }
  return best.weights;
}

function withMeaning(wordWeights) {
  return GRID.meaningWeight.map((meaningWeight) => ({ ...wordWeights, meaningWeight }));
}

/** The mean reciprocal rank for all weights of the grid. */
function scoreTable({ words }, questions) {
  return [...wordGrid()].flatMap((wordWeights) => {
    const sums = GRID.meaningWeight.map(() => 0);
    for (const { prepared, cosines, paragraph } of questions) {
      const scores = words.scores(prepared, wordWeights);
      for (const [place, meaningWeight] of GRID.meaningWeight.entries())
        sums[place] += reciprocal({ scores, cosines, paragraph, meaningWeight });
    }
    return sums.map((sum) => sum / questions.length);
  });
}

function chosenOn({ questions }) {
  return questions.filter(isForChoosing);
}

function reportedOn({ questions }) {
  return questions.filter((asked) => !isForChoosing(asked));
}

function described({ saturation, lengthFraction, prefixWeight, meaningWeight }) {
  return `k1 ${saturation}, b ${lengthFraction}, prefixes ${prefixWeight}, meaning ${meaningWeight}`;
}

/** The parts of the scores that do not depend on weights. */
function prepare({ texts, questions, index }) {
  const words = new WeightedWords(texts);
  return {
    words,
    questions: questions.map((asked) => ({
      ...asked,
      prepared: words.prepare(asked.question),
      cosines: cosinesOf(index, asked.vector, texts.length),
    })),
  };
}

function cosinesOf(index, vector, count) {
  const cosines = new Float64Array(count);
  for (const { documentId, meaning } of index.search({ question: '', vector, most: count }))
    cosines[Number(documentId)] = meaning;
  return cosines;
}

/** The weighted words must be those of the gateway, or what is chosen here means nothing there. */
function requireSame({ index, texts }, { words, questions }) {
  for (const { question, prepared } of questions.slice(0, CHECKED_QUESTIONS)) {
    const scores = words.scores(prepared, IN_USE);
    for (const { documentId, words: expected } of index.search({
      question,
      vector: undefined,
      most: texts.length,
    })) {
      const difference = Math.abs(scores[Number(documentId)] - expected);
      if (difference > 1e-3) throw new Error(`"${question}": ${scores[Number(documentId)]}, not ${expected}`);
    }
  }
}

function* wordGrid() {
  for (const saturation of GRID.saturation)
    for (const lengthFraction of GRID.lengthFraction)
      for (const prefixWeight of GRID.prefixWeight) yield { saturation, lengthFraction, prefixWeight };
}

function gridSize() {
  return Object.values(GRID).reduce((product, { length }) => product * length, 1);
}

function meanReciprocal({ words }, questions, { meaningWeight, ...wordWeights }) {
  const ranks = questions.map(({ prepared, cosines, paragraph }) =>
    reciprocal({ scores: words.scores(prepared, wordWeights), cosines, paragraph, meaningWeight }),
  );
  return ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
}

function reciprocal({ scores, cosines, paragraph, meaningWeight }) {
  const best = scores.reduce((most, score) => Math.max(most, score), 0) || 1;
  const fused = (slot) => scores[slot] / best + meaningWeight * cosines[slot];
  const own = fused(paragraph);
  let rank = 1;
  for (let slot = 0; slot < scores.length && rank <= DEEPEST; slot += 1) {
    const score = fused(slot);
    if (score > own || (score === own && slot < paragraph)) rank += 1;
  }
  return rank > DEEPEST ? 0 : 1 / rank;
}
