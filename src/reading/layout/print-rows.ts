import type { PageBox, PageLine } from '../page-text.ts';
import { largest, median, type PlacedWord, type Row, smallest } from './placed-word.ts';
import { fromRightToLeft, isRightToLeft } from './reading-direction.ts';
import { gapBetween, isNextCell } from './row-cells.ts';

/** Lines start no further right than this, however wide the page. */
const MAX_COLUMN = 200;
const PARAGRAPH_GAP = 1.2;
/** Word positions are accurate to half a character; less than this is not an indentation. */
const MIN_INDENT = 0.8;

/** Renders a block as lines on a character grid, so that words keep their columns. */
export function printRows(rows: readonly Row[], characterWidth: number): readonly PageLine[] {
  const allWords = rows.flatMap(({ words }) => words);
  const grid = {
    left: smallest(allWords.map(({ x0 }) => x0)),
    right: largest(allWords.map(({ x1 }) => x1)),
    characterWidth,
  };
  const lineHeight = median(rows.map((row) => row.y1 - row.y0));
  return rows.map((row, index) => {
    const above = rows[index - 1];
    const hasGapAbove = above !== undefined && row.y0 - above.y1 > PARAGRAPH_GAP * lineHeight;
    return printRow(row, grid, hasGapAbove ? '\n' : '');
  });
}

interface Grid {
  readonly left: number;
  readonly right: number;
  readonly characterWidth: number;
}

function printRow(row: Row, grid: Grid, gapAbove: string): PageLine {
  const isReversed = isRightToLeft(row.words);
  const words = isReversed ? fromRightToLeft(row) : row.words;
  const columnOf = (word: PlacedWord) => {
    const distance = isReversed ? grid.right - word.x1 : word.x0 - grid.left;
    const columns = distance / Math.max(1e-9, grid.characterWidth);
    return columns < MIN_INDENT ? 0 : Math.min(MAX_COLUMN, Math.round(columns));
  };
  let line = '';
  let before: PlacedWord | undefined;
  for (const word of words) {
    if (!before) line = ' '.repeat(columnOf(word));
    else if (isNextCell(row, before, word)) line += ' '.repeat(Math.max(2, columnOf(word) - line.length));
    else if (!isSolid(row, before, word)) line += ' ';
    line += word.text;
    before = word;
  }
  return {
    text: gapAbove + line,
    box: boxAround(words.map(({ box }) => box)),
    words: words.map(pageWord),
    places: Float32Array.from(words.flatMap(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1])),
  };
}

const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，]/u;

// Chinese and Japanese have no spaces between words.
function isSolid(row: Row, before: PlacedWord, word: PlacedWord): boolean {
  if (gapBetween(before, word) > 0.4 * (row.y1 - row.y0)) return false;
  return IDEOGRAPH.test(before.text.at(-1) ?? '') && IDEOGRAPH.test(word.text[0] ?? '');
}

function pageWord({ text, box, confidence }: PlacedWord) {
  return { text, box, confidence };
}

function boxAround(boxes: readonly PageBox[]): PageBox {
  return {
    x0: smallest(boxes.map(({ x0 }) => x0)),
    y0: smallest(boxes.map(({ y0 }) => y0)),
    x1: largest(boxes.map(({ x1 }) => x1)),
    y1: largest(boxes.map(({ y1 }) => y1)),
  };
}
