import type { PlacedWord, Row } from './placed-word.ts';

/** Words of a row without a gap wider than the row is tall. */
export interface RowCell {
  readonly words: readonly PlacedWord[];
  readonly x0: number;
  readonly x1: number;
}

/** Whether a new cell starts between these two words. */
export function isNextCell(row: Row, before: PlacedWord, word: PlacedWord): boolean {
  return gapBetween(before, word) > row.y1 - row.y0;
}

/** The distance between two words, in either order. */
export function gapBetween(one: PlacedWord, other: PlacedWord): number {
  return Math.max(one.x0, other.x0) - Math.min(one.x1, other.x1);
}

/** Splits a row at its wide gaps. */
export function cellsOf(row: Row): readonly RowCell[] {
  const cells: PlacedWord[][] = [];
  let before: PlacedWord | undefined;
  for (const word of row.words) {
    const cell = cells.at(-1);
    if (!cell || !before || isNextCell(row, before, word)) cells.push([word]);
    else cell.push(word);
    before = word;
  }
  return cells.map((words) => ({
    words,
    x0: words[0]?.x0 ?? 0,
    x1: words.reduce((right, { x1 }) => Math.max(right, x1), Number.NEGATIVE_INFINITY),
  }));
}
