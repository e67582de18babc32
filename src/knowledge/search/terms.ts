import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { type Language, stopWordsOf } from './stop-words.ts';

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  english: stemEnglish,
  german: stemGerman,
  spanish: stemSpanish,
  french: stemFrench,
  italian: stemItalian,
  portuguese: stemPortuguese,
  none: (word) => word,
};
// Letters and digits, joined by marks into names such as AB-1234, v2.1 or a mail address.
const NAMES = /[\p{L}\p{M}\p{N}]+(?:[-._/@:+&#]+[\p{L}\p{M}\p{N}]+)*/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
// Accents, and the points of Hebrew and Arabic, which writers leave out. In other scripts marks are vowels.
const ACCENTS = /(?=\p{M})[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]/gu;
// Scripts without spaces between words: `segmenter` knows the words of some, pairs of characters stand for those of the others.
const SEGMENTED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const PAIRED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const UNSPACED = new RegExp(`[${SEGMENTED}${PAIRED}]`, 'u');
const UNSPACED_RUNS = new RegExp(`[${SEGMENTED}]+|[${PAIRED}]+|[^${SEGMENTED}${PAIRED}]+`, 'gu');
const SEGMENTED_RUN = new RegExp(`^[${SEGMENTED}]`, 'u');
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** Longer ones are data, not names. */
const MAX_TERM_LENGTH = 64;
/** How much text is sampled to guess its language. */
const GUESS_CHARACTERS = 20_000;
/** Minimum fraction of stop words for a text to count as that language. */
const MIN_STOP_WORD_FRACTION = 0.08;
const PREFIX_LENGTH = 5;
// Terms never start with it.
const PREFIX_MARK = '^';

const stopWords = stopWordsOf(foldText);
const noStopWords: ReadonlySet<string> = new Set();

/** Lower case without accents. Vowels that are written as marks stay. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().replaceAll('ß', 'ss');
}

/** The language with the most stop words in the text; `none` if there are too few. */
export function guessLanguage(text: string): Language {
  const words = foldText(text.slice(0, GUESS_CHARACTERS)).match(WORDS) ?? [];
  let best: Language = 'none';
  let most = words.length * MIN_STOP_WORD_FRACTION;
  for (const [language, set] of stopWords) {
    const count = words.reduce((sum, word) => sum + (set.has(word) ? 1 : 0), 0);
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

/** The index terms of a text in a language, with repetitions. */
export function termsOf(text: string, language: Language): readonly string[] {
  return wordsOf(text).flatMap((word) => termsOfWord(word, language));
}

/** The terms of each distinct word of a question, in these languages. */
export function questionWords(
  question: string,
  languages: readonly Language[],
): readonly ReadonlySet<string>[] {
  const stop = stopWords.get(guessLanguage(question)) ?? noStopWords;
  return [...new Set(wordsOf(question))]
    .filter((word) => !stop.has(word))
    .map((word) => new Set(languages.flatMap((language) => termsOfWord(word, language))))
    .filter((terms) => terms.size > 0);
}

/** A long term's prefix as a term of its own, shared by its other forms. */
export function prefixOf(term: string): string | undefined {
  return term.length > PREFIX_LENGTH ? PREFIX_MARK + term.slice(0, PREFIX_LENGTH) : undefined;
}

/** The words of a text; a compound name is included whole and in parts. */
function wordsOf(text: string): readonly string[] {
  const names = foldText(text).match(NAMES) ?? [];
  return names
    .flatMap((name) => {
      const words = name.match(WORDS) ?? [];
      return words.length > 1 ? [name, ...words] : words;
    })
    .flatMap((word) => (UNSPACED.test(word) ? unspacedTerms(word) : word))
    .filter((word) => word.length <= MAX_TERM_LENGTH);
}

function termsOfWord(word: string, language: Language): readonly string[] {
  return stopWords.get(language)?.has(word) ? [] : [stemmers[language](word)];
}

function unspacedTerms(word: string): string[] {
  return (word.match(UNSPACED_RUNS) ?? []).flatMap((run) => {
    if (SEGMENTED_RUN.test(run)) return Array.from(segmenter.segment(run), ({ segment }) => segment);
    const characters = [...run];
    if (!UNSPACED.test(run) || characters.length === 1) return [run];
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}
