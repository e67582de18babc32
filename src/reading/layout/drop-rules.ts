import { median, type PlacedWord, type Row } from './placed-word.ts';

/** How OCR reads a piece of a vertical line. */
const PIECE = /^[|Il1!]$/;
const MIN_PIECES = 3;

/**
 * Removes the vertical lines of a ruled table. OCR reads each row's piece as a bar, a capital I, a one, or not at all; so a
 * column of such characters, not all the same and with nothing else in it, is a line. Bars in a text layer are all the same and
 * stay.
 */
export function dropRules(rows: readonly Row[]): readonly Row[] {
  const pieces = rows.flatMap((row, index) =>
    row.words.filter(({ text }) => PIECE.test(text)).map((word) => ({ word, index })),
  );
  if (pieces.length < MIN_PIECES) return rows;
  const width = median(rows.flatMap(({ words }) => words.map(({ x0, x1, text }) => (x1 - x0) / text.length)));
  const dropped = new Set(
    columnsOf(pieces, width)
      .filter((column) => isRule(column, rows))
      .flatMap((column) => column.map(({ word }) => word)),
  );
  if (dropped.size === 0) return rows;
  return rows
    .map((row) => ({ ...row, words: row.words.filter((word) => !dropped.has(word)) }))
    .filter(({ words }) => words.length > 0);
}

interface Piece {
  readonly word: PlacedWord;
  readonly index: number;
}

/** Pieces above each other, within a character's width. */
function columnsOf(pieces: readonly Piece[], width: number): readonly (readonly Piece[])[] {
  const columns: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => middle(a.word) - middle(b.word))) {
    const [first] = columns.at(-1) ?? [];
    if (first && middle(piece.word) - middle(first.word) <= width) columns.at(-1)?.push(piece);
    else columns.push([piece]);
  }
  return columns;
}

function isRule(column: readonly Piece[], rows: readonly Row[]): boolean {
  const kinds = new Set(column.map(({ word }) => word.text));
  if (column.length < MIN_PIECES || kinds.size < 2 || !(kinds.has('|') || kinds.has('I'))) return false;
  const own = new Set(column.map(({ word }) => word));
  const indexes = column.map(({ index }) => index);
  const x = median(column.map(({ word }) => middle(word)));
  return rows
    .slice(Math.min(...indexes), Math.max(...indexes) + 1)
    .every(({ words }) => words.every((word) => own.has(word) || word.x0 > x || word.x1 < x));
}

function middle({ x0, x1 }: PlacedWord): number {
  return (x0 + x1) / 2;
}
