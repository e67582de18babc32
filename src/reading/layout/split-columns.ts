import { groupRows } from './group-rows.ts';
import { largest, median, type Row, smallest } from './placed-word.ts';
import { cellsOf, type RowCell } from './row-cells.ts';

const MIN_PROSE_WORDS = 4;
const MIN_PROSE_LINES = 8;
const MIN_PROSE_FRACTION = 0.6;
const MAX_DEPTH = 6;

interface CelledRow {
  readonly row: Row;
  readonly cells: readonly RowCell[];
}

/**
 * Splits a page into blocks in reading order. Only columns of prose are read one after the other; tables are not, because their
 * cells are short.
 */
export function splitColumns(rows: readonly Row[], depth = 0): readonly (readonly Row[])[] {
  const celled = rows.map((row) => ({ row, cells: cellsOf(row) }));
  const split = depth < MAX_DEPTH ? findSplit(celled) : undefined;
  if (!split) return [rows];
  const { gutter, from, to } = split;
  const body = rows.slice(from, to).flatMap(({ words }) => words);
  const left = groupRows(body.filter((word) => (word.x0 + word.x1) / 2 < gutter));
  const right = groupRows(body.filter((word) => (word.x0 + word.x1) / 2 >= gutter));
  return [
    rows.slice(0, from),
    ...splitColumns(left, depth + 1),
    ...splitColumns(right, depth + 1),
    ...splitColumns(rows.slice(to), depth + 1),
  ].filter((block) => block.length > 0);
}

function findSplit(rows: readonly CelledRow[]): { gutter: number; from: number; to: number } | undefined {
  for (const gutter of gutterCandidates(rows)) {
    const runs = runsBeside(rows, gutter);
    const run = runs.find(({ from, to }) => isProseBeside(rows.slice(from, to), gutter));
    if (run) return { gutter, ...run };
  }
  return undefined;
}

/** Where many prose cells start, leftmost first. */
function gutterCandidates(rows: readonly CelledRow[]): readonly number[] {
  const height = median(rows.map(({ row }) => row.y1 - row.y0));
  const starts = rows.flatMap(({ cells }) => cells.filter(isProse).map(({ x0 }) => x0)).sort((a, b) => a - b);
  const candidates: number[] = [];
  for (let index = 0; index + MIN_PROSE_LINES <= starts.length; index += 1) {
    const start = starts[index] ?? 0;
    const isCrowded = (starts[index + MIN_PROSE_LINES - 1] ?? 0) - start < height;
    const isNew = start - (candidates.at(-1) ?? Number.NEGATIVE_INFINITY) > 2 * height;
    if (isCrowded && isNew) candidates.push(start - 0.3 * height);
  }
  return candidates.slice(1);
}

/** Runs of rows in which nothing crosses the gutter. */
function runsBeside(rows: readonly CelledRow[], gutter: number): readonly { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let from = 0;
  for (let index = 0; index <= rows.length; index += 1) {
    const isAcross = rows[index]?.cells.some(({ x0, x1 }) => x0 < gutter && x1 > gutter) ?? true;
    if (!isAcross) continue;
    if (index - from >= MIN_PROSE_LINES) runs.push({ from, to: index });
    from = index + 1;
  }
  return runs;
}

function isProseBeside(rows: readonly CelledRow[], gutter: number): boolean {
  const cells = rows.flatMap((row) => row.cells);
  return [cells.filter(({ x1 }) => x1 <= gutter), cells.filter(({ x0 }) => x0 >= gutter)].every(
    isProseColumn,
  );
}

// Lines of a paragraph fill their column; those of a list of names do not.
function isProseColumn(cells: readonly RowCell[]): boolean {
  const prose = cells.filter(isProse);
  if (prose.length < MIN_PROSE_LINES || prose.length < MIN_PROSE_FRACTION * cells.length) return false;
  const width = largest(cells.map(({ x1 }) => x1)) - smallest(cells.map(({ x0 }) => x0));
  // The right side may still hold several columns.
  const typical = Math.min(width, 1.2 * largest(prose.map(({ x0, x1 }) => x1 - x0)));
  return prose.filter(({ x0, x1 }) => x1 - x0 > 0.6 * typical).length >= MIN_PROSE_FRACTION * prose.length;
}

function isProse({ words }: RowCell): boolean {
  const letters = words.reduce((total, { text }) => total + text.length, 0);
  return words.length >= MIN_PROSE_WORDS || (letters >= 12 && isIdeographic(words[0]?.text ?? ''));
}

function isIdeographic(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);
}
