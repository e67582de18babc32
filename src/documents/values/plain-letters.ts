import { withoutAccents } from './month-names.ts';

/** Removes accents without changing offsets. */
export function plainLetters(text: string): string {
  const composed = text.normalize('NFC');
  return composed.replace(/\P{ASCII}/gu, (letter) => Array.from(withoutAccents(letter))[0] ?? letter);
}
