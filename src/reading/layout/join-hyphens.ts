import type { PlacedWord, Row } from './placed-word.ts';
import { cellsOf } from './row-cells.ts';

const BROKEN = /^(.*\p{Ll}{2})[-‐\u00ad]$/u;
const CONTINUATION = /^\p{Ll}{2}/u;

/** Joins words hyphenated at the end of a line, on the line where they start. */
export function joinHyphens(block: readonly Row[]): readonly Row[] {
  const rows = [...block];
  for (let index = 0; index + 1 < rows.length; index += 1) {
    const [above, below] = [rows[index], rows[index + 1]];
    if (!above || !below) continue;
    const joined = joinedWord(above, below);
    if (!joined) continue;
    rows[index] = { ...above, words: [...above.words.slice(0, -1), joined] };
    rows[index + 1] = { ...below, words: below.words.slice(1) };
  }
  return rows.filter(({ words }) => words.length > 0);
}

function joinedWord(above: Row, below: Row): PlacedWord | undefined {
  const first = above.words.at(-1);
  const second = below.words[0];
  if (!first || !second || !CONTINUATION.test(second.text)) return undefined;
  const stem = BROKEN.exec(first.text)?.[1];
  if (stem === undefined || !isParagraph(above, below)) return undefined;
  return { ...first, text: stem + second.text, confidence: Math.min(first.confidence, second.confidence) };
}

// In a table, a trailing hyphen is unrelated to the row below.
function isParagraph(above: Row, below: Row): boolean {
  const height = above.y1 - above.y0;
  const isClose = below.y0 - above.y1 < 1.2 * height;
  return isClose && cellsOf(above).length === 1 && cellsOf(below).length === 1;
}
