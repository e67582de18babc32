import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Languages of XQuAD. */
export const LANGUAGES = {
  en: 'English',
  de: 'German',
  es: 'Spanish',
  ro: 'Romanian',
  tr: 'Turkish',
  vi: 'Vietnamese',
  ru: 'Russian',
  el: 'Greek',
  ar: 'Arabic',
  hi: 'Hindi',
  th: 'Thai',
  zh: 'Chinese',
};
/** Those of a quick run and of the tables that are long. */
export const SHOWN_LANGUAGES = ['en', 'de', 'es'];
const MOST_QUESTIONS = 2_000;

/**
 * Other sets, by their file in the folder KNOWLEDGE_SETS. No weight was chosen on them. The first are from articles of XQuAD, the
 * others from articles and questions of their own.
 */
const OTHER_SETS = [
  ['SQuAD 2.0 dev (English)', 'dev-v2.0.json'],
  ['SQuAD-it test (Italian)', 'SQuAD_it-test.json.gz'],
  ['SQuAD-es v1.1 dev (Spanish)', 'dev-v1.1-es_small.json'],
  ['TQuAD train (Turkish)', 'tquad-train-v0.1.json'],
  ['ARCD (Arabic)', 'arcd.json'],
  ['CMRC 2018 dev (Chinese)', 'cmrc2018_dev.json'],
  ['iapp-wiki-qa test (Thai)', 'iapp-wiki-qa_test.jsonl'],
];

export function readXquad(folder, language) {
  return setOf(readJson(join(folder, `xquad.${language}.json`)));
}

/** The sets that are there, without the paragraphs of XQuAD: English ones are left out by their text. */
export function readOtherSets(folder, xquad) {
  const known = new Set(xquad.texts);
  return OTHER_SETS.filter(([, file]) => existsSync(join(folder, file))).map(([name, file]) => [
    name,
    setOf(readJson(join(folder, file)), known),
  ]);
}

/** Whether weights may be chosen on a question: by article, so that no paragraph is on both sides. */
export function isForChoosing({ article }) {
  return article % 2 === 0;
}

/** English counts as much as all others together: the embedded encoder knows no other language. */
export function meanOfLanguages(languages, values) {
  const english = values.filter((_, place) => languages[place] === 'en');
  const others = values.filter((_, place) => languages[place] !== 'en');
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  return (mean(english) + mean(others)) / 2;
}

function setOf({ data }, known = new Set()) {
  const paragraphs = data
    .flatMap((article, number) => article.paragraphs.map((paragraph) => ({ ...paragraph, article: number })))
    .filter(({ context }) => !known.has(context));
  const all = paragraphs.flatMap(({ qas, article }, paragraph) =>
    qas
      .filter(({ is_impossible: isImpossible }) => isImpossible !== true)
      .map(({ question }) => ({ question, paragraph, article })),
  );
  const step = Math.max(1, Math.ceil(all.length / MOST_QUESTIONS));
  return {
    texts: paragraphs.map(({ context }) => context),
    articles: paragraphs.map(({ article }) => article),
    questions: all.filter((_, place) => place % step === 0),
  };
}

function readJson(path) {
  const bytes = readFileSync(path);
  if (path.endsWith('.jsonl')) return squadOf(bytes.toString());
  return JSON.parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes);
}

/** A question and its paragraph in each line, as in the files of SQuAD. */
function squadOf(lines) {
  const questions = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const contexts = new Map();
  for (const asked of questions) contexts.set(asked.context, [...(contexts.get(asked.context) ?? []), asked]);
  const data = [...contexts].map(([context, qas]) => ({ paragraphs: [{ context, qas }] }));
  return { data };
}
