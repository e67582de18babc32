import { withoutAccents } from '../values/month-names.ts';

/** A text normalised for comparison: lower case, without accents and surrounding punctuation. */
export function plainText(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}+-]+|[^\p{L}\p{N}%]+$/gu, '');
}
