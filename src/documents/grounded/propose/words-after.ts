import { labelTokens } from '../words/label-words.ts';

const [CHARACTERS, WORDS] = [24, 3];
/** A line that goes on with the same sentence. */
const NEXT_LINE = /^ ?\n {0,12}(?=\p{Ll})/u;

/** The words behind a number or a date: its unit, what it counts, or what was done then. */
export function wordsAfter(text: string, end: number): readonly string[] {
  // A point behind a figure makes it an ordinal: `2. Klasse`.
  const rest = text
    .slice(end, end + 2 * CHARACTERS)
    .replace(NEXT_LINE, ' ')
    .slice(0, CHARACTERS)
    .replace(/^[.ªº°](?=\s)/, '');
  const [near = ''] = rest.split(/\n|\s{2,}|[,.;|]/);
  return labelTokens(near.trim().split(/\s+/).slice(0, WORDS).join(' '));
}
