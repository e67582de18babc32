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
const stopWords = stopWordsOf(foldText);
const noStopWords: ReadonlySet<string> = new Set();

// Letters and digits, joined by marks into names such as AB-1234, v2.1 or a mail address.
const NAMES = /[\p{L}\p{N}]+(?:[-._/@:+&#]+[\p{L}\p{N}]+)*/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
// Scripts without spaces between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const UNSPACED_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]+/gu;
/** Longer ones are data, not names. */
const MAX_TERM_LENGTH = 64;
/** How much text is sampled to guess its language. */
const GUESS_CHARACTERS = 20_000;
/** Minimum fraction of stop words for a text to count as that language. */
const MIN_STOP_WORD_FRACTION = 0.08;
const PREFIX_LENGTH = 5;
// Terms never start with it.
const PREFIX_MARK = '^';

/** Lower case without accents. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
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

/** Without spaces, bigrams stand for words. */
function unspacedTerms(word: string): string[] {
  return (word.match(UNSPACED_RUNS) ?? []).flatMap((run) => {
    const characters = [...run];
    if (!UNSPACED.test(run) || characters.length === 1) return [run];
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
}
