import { markdownTable } from '../statistics.mjs';
import { isForChoosing, LANGUAGES } from './question-sets.mjs';
import { WeightedWords } from './weighted-words.mjs';

/** As in `bm25-index.ts` and `fuse-scores.ts`. */
const IN_USE = { saturation: 1.2, lengthFraction: 0.5, prefixWeight: 0.5, meaningWeight: 0.7 };
const GRID = {
  saturation: [0.4, 0.6, 0.9, 1.2, 1.6],
  lengthFraction: [0.25, 0.5, 0.75, 1],
  prefixWeight: [0.25, 0.5, 0.75],
  meaningWeight: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.2],
};
const DEEPEST = 10;
const CHECKED_QUESTIONS = 50;

/** Chooses weights on one half of the articles, over all languages alike; reports them and those in use on both halves. */
export function chooseWeights(stacks) {
  const languages = Object.keys(stacks);
  const opened = languages.map((language) => prepare(stacks[language]));
  for (const [place, prepared] of opened.entries()) requireSame(stacks[languages[place]], prepared);
  const best = bestWeights(opened);
  const rows = opened.map((prepared, place) => [
    LANGUAGES[languages[place]],
    ...[chosenOn, reportedOn].flatMap((half) =>
      [IN_USE, best].map((weights) => (100 * meanReciprocal(prepared, half(prepared), weights)).toFixed(1)),
    ),
  ]);
  const means = rows[0].slice(1).map((_, column) => {
    const sum = rows.reduce((total, row) => total + Number(row[column + 1]), 0);
    return (sum / rows.length).toFixed(1);
  });
  console.log(
    `Weights of words and fusion: mean reciprocal rank among the first ${DEEPEST}, × 100. In use: ${described(IN_USE)}. ` +
      `Best of ${gridSize()} on the questions of every other article of XQuAD: ${described(best)}. The other articles were not looked at for that.\n`,
  );
  const heads = ['chosen on: in use', 'best', 'reported on: in use', 'best'];
  console.log(`${markdownTable(['', ...heads], [...rows, ['mean', ...means]])}\n`);
}

function bestWeights(opened) {
  let best = { weights: IN_USE, score: -1 };
  for (const wordWeights of wordGrid()) {
    const sums = GRID.meaningWeight.map(() => 0);
    for (const prepared of opened) addRanks(prepared, chosenOn(prepared), wordWeights, sums);
    for (const [place, meaningWeight] of GRID.meaningWeight.entries())
      if (sums[place] > best.score) best = { weights: { ...wordWeights, meaningWeight }, score: sums[place] };
  }
  return best.weights;
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

/** Adds the mean reciprocal rank of the questions for each weight of meaning. */
function addRanks({ words }, questions, wordWeights, sums) {
  for (const { prepared, cosines, paragraph } of questions) {
    const scores = words.scores(prepared, wordWeights);
    for (const [place, meaningWeight] of GRID.meaningWeight.entries())
      sums[place] += reciprocal({ scores, cosines, paragraph, meaningWeight }) / questions.length;
  }
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
