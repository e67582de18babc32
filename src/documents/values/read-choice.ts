import { meaningsOf } from './choice-words.ts';
import { currencyIn } from './currency-codes.ts';
import { withoutAccents } from './month-names.ts';
import { parseNumber } from './parse-number.ts';

/** The longest wording of a meaning, in words. */
const MOST_WORDS = 4;
/** A word and its plural have this much in common. */
const SHORTEST_STEM = 4;

/** The member of an enumeration that a text says: as written, by a number, a currency, or another word for it; undefined if two fit. */
export function readChoice(text: string, choices: readonly unknown[], document: string): unknown {
  const wanted = plainWords(text);
  const exact = choices.find((choice) => plainWords(String(choice)) === wanted);
  if (exact !== undefined) return exact;
  const value = parseNumber(text.trim());
  const equal = choices.find((choice) => typeof choice === 'number' && choice === value);
  if (equal !== undefined) return equal;
  const currency = currencyIn(text, document);
  if (currency !== undefined && choices.includes(currency)) return currency;
  return bestOf(choices.map((choice) => ({ choice, fit: fitOf(plainWords(String(choice)), wanted) })));
}

/** Lower-case words without accents, hyphens and capitals within. */
export function plainWords(text: string): string {
  return withoutAccents(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function bestOf(judged: readonly { readonly choice: unknown; readonly fit: number }[]): unknown {
  const [best, next] = judged.toSorted((one, other) => other.fit - one.fit);
  return best === undefined || best.fit === 0 || best.fit === next?.fit ? undefined : best.choice;
}

/** The most letters of the text that name a choice, or mean the same. */
function fitOf(choice: string, text: string): number {
  const meanings = meaningsOf(choice);
  const fits = wordRuns(text)
    .filter((run) => isSameWord(run, choice) || Array.from(meaningsOf(run)).some((one) => meanings.has(one)))
    .map((run) => run.length);
  // A choice of several words may stand in the text in short.
  const isPart = text.length >= SHORTEST_STEM && ` ${choice} `.includes(` ${text} `);
  return Math.max(0, ...fits, isPart ? text.length : 0);
}

function wordRuns(text: string): readonly string[] {
  const words = text.split(' ');
  return words.flatMap((_, start) =>
    Array.from({ length: Math.min(MOST_WORDS, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1).join(' '),
    ),
  );
}

function isSameWord(one: string, other: string): boolean {
  return one === other || (one.length > SHORTEST_STEM && stemOf(one) === stemOf(other));
}

/** Without the endings of plurals and cases. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:es|en|s|n|e)$/, '');
  return stem.length >= SHORTEST_STEM ? stem : word;
}
