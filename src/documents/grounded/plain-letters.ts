import { withoutAccents } from './month-names.ts';

/** A text without accents whose letters stand where they stood: accented letters have the length of plain ones once they are composed. */
export function plainLetters(text: string): string {
  const composed = text.normalize('NFC');
  return composed.replace(/\P{ASCII}/gu, (letter) => Array.from(withoutAccents(letter))[0] ?? letter);
}
