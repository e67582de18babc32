import { MIN_RELEVANCE } from '../../dist/knowledge/min-relevance.js';
import { markdownTable } from '../statistics.mjs';
import { isForChoosing, LANGUAGES, meanOfLanguages } from './question-sets.mjs';

/** As in `fuse-scores.ts`: the part of meaning in relevance. The rest is that of words. */
const PART_IN_USE = 0.25;
const IN_USE = { part: PART_IN_USE, threshold: MIN_RELEVANCE };
const GRID = {
  part: [0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5],
  threshold: Array.from({ length: 31 }, (_, step) => (10 + step) / 100),
};
const FOUND = 5;
const ROUNDING = 1e-4;

/** Chooses what makes a passage an answer, on one half of the articles. `indexOf` indexes chunks. */
export function chooseRelevance(stacks, languages, indexOf) {
  const halves = [true, false].map((isChosenOn) =>
    languages.map((language) => readParts(stacks[language], { isChosenOn, indexOf })),
  );
  const [chosenOn] = halves;
  const meanOf = (kinds, way) =>
    meanOfLanguages(
      languages,
      kinds.map((kind) => gain(kind, way)),
    );
  const ways = GRID.part.flatMap((part) => GRID.threshold.map((threshold) => ({ part, threshold })));
  const best = ways.reduce((chosen, way) =>
    meanOf(chosenOn, way) > meanOf(chosenOn, chosen) ? way : chosen,
  );
  const rows = languages.map((language, place) => [
    LANGUAGES[language],
    ...halves.flatMap((kinds) => [
      percent(shareOf(kinds[place].answered, best)),
      percent(shareOf(kinds[place].missing, best)),
    ]),
  ]);
  console.log(
    `Relevance: questions that get an excerpt, %. Chosen of ${ways.length} on every other article: ${described(best)}, where the questions with an answer, counted twice, are most ahead of those whose article is missing. ` +
      `English counts as much as the others together. In use: ${described(IN_USE)}.\n`,
  );
  const heads = ['chosen on: answered', 'missing', 'reported on: answered', 'missing'];
  console.log(`${markdownTable(['', ...heads], rows)}\n`);
}

/** The parts of the relevance of what is found for each question: with its article, and without. */
function readParts({ chunks, articles, questions, index }, { isChosenOn, indexOf }) {
  const asked = questions.filter((question) => isForChoosing(question) === isChosenOn);
  const missing = [...new Set(asked.map(({ article }) => article))].flatMap((article) => {
    const others = indexOf(chunks.filter((_, place) => articles[place] !== article));
    return asked
      .filter((question) => question.article === article)
      .map((question) => partsOf(others, question));
  });
  return { answered: asked.map((question) => partsOf(index, question)), missing };
}

function partsOf(index, { question, vector }) {
  // Without a vector, relevance is the part of words.
  const byWords = new Map(
    index
      .search({ question, vector: undefined, most: Number.POSITIVE_INFINITY })
      .map(({ documentId, relevance }) => [documentId, relevance]),
  );
  return index.search({ question, vector, most: FOUND }).map(({ documentId, relevance }) => {
    const words = byWords.get(documentId) ?? 0;
    const meaning = (relevance - (1 - PART_IN_USE) * words) / PART_IN_USE;
    if (meaning < -ROUNDING || meaning > 1 + ROUNDING) throw new Error('the part of meaning is another one');
    return { words, meaning };
  });
}

/** An answer that is not shown is twice as bad as a passage that is shown in vain. */
function gain({ answered, missing }, way) {
  return 2 * shareOf(answered, way) - shareOf(missing, way);
}

function shareOf(questions, { part, threshold }) {
  const isAnswered = (found) =>
    found.some(({ words, meaning }) => (1 - part) * words + part * meaning >= threshold);
  return questions.filter(isAnswered).length / questions.length;
}

function described({ part, threshold }) {
  return `meaning ${part}, threshold ${threshold}`;
}

function percent(value) {
  return (100 * value).toFixed(1);
}
