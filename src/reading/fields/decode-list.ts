import type { FoundRow, FoundSpan } from './field-finder.ts';
import type { FieldScores } from './field-scores.ts';
import type { PageStretch } from './page-stretch.ts';

const [ROW_BEGINS, IN_COLUMN, LIKELY_CELL, IN_ROW, IN_ITEM] = [0.5, 0.5, 0.1, 0.25, 0.5];
/** Types whose values are one word. */
const ONE_WORD: ReadonlySet<string> = new Set(['number', 'integer', 'boolean']);

interface Column {
  readonly type: string;
  readonly inside: Float32Array;
}

/** The rows of a list of objects: the list's own scores say where rows begin, those of the columns what is inside. */
export function decodeRows(
  own: FieldScores,
  columns: readonly { readonly type: string; readonly scores: FieldScores }[],
  stretch: PageStretch,
): readonly FoundRow[] {
  const cells = columns.map(({ type, scores }) => ({ type, inside: scores.inside }));
  return partsOf(own, stretch).flatMap((part) => {
    const begin = part[0] ?? 0;
    const row = part.filter(
      (piece) => (own.inside[piece] ?? 0) > IN_ROW || stretch.rowOf(piece) === stretch.rowOf(begin),
    );
    const found = rowOf(row, cells, stretch);
    return found.some((cell) => cell !== undefined && cell.text !== '') ? [found] : [];
  });
}

/** The items of a list of plain values, as rows of one cell: each begins where the list says, and goes on while it is inside. */
export function decodeItems(own: FieldScores, stretch: PageStretch): readonly FoundRow[] {
  return partsOf(own, stretch).map((part) => {
    const outside = part.findIndex((piece, order) => order > 0 && (own.inside[piece] ?? 0) <= IN_ITEM);
    const pieces = outside < 0 ? part : part.slice(0, outside);
    const probability = own.begins[part[0] ?? 0] ?? 0;
    return [{ ...stretch.spanOf(pieces), probability }];
  });
}

/** The pieces from each beginning up to the next, without those of neighbouring stretches. */
function partsOf(
  { begins }: FieldScores,
  { size, first, last }: PageStretch,
): readonly (readonly number[])[] {
  const pieces = Array.from({ length: size - 1 }, (_, index) => index + 1);
  const starts = pieces.filter((piece) => (begins[piece] ?? 0) > ROW_BEGINS);
  return starts
    .map((start, order) => pieces.slice(start - 1, (starts[order + 1] ?? size) - 1))
    .filter(([start = 0]) => start >= first && start <= last);
}

function rowOf(row: readonly number[], columns: readonly Column[], stretch: PageStretch): FoundRow {
  // A piece belongs to the column that is surest of it.
  const chosen = columns.map(({ inside }) =>
    row.filter((piece) => {
      const sure = inside[piece] ?? 0;
      return sure > IN_COLUMN && columns.every((other) => sure >= (other.inside[piece] ?? 0));
    }),
  );
  const taken = new Set(chosen.flat().map((piece) => stretch.wordOf(piece)));
  const free = row.filter((piece) => !taken.has(stretch.wordOf(piece)));
  return columns.map((column, index) => {
    const own = chosen[index] ?? [];
    const pieces =
      own.length === 0
        ? likeliestWord(free, column, stretch)
        : ONE_WORD.has(column.type)
          ? surestWord(own, column, stretch)
          : own;
    return pieces.length === 0 ? undefined : cellOf(pieces, column, stretch);
  });
}

function cellOf(pieces: readonly number[], { inside }: Column, stretch: PageStretch): FoundSpan {
  const sum = pieces.reduce((total, piece) => total + (inside[piece] ?? 0), 0);
  return { ...stretch.spanOf(pieces), probability: sum / pieces.length };
}

/** Where nothing is sure: the likeliest word that no column has. */
function likeliestWord(free: readonly number[], { inside }: Column, stretch: PageStretch): readonly number[] {
  const best = surest(free, inside);
  if (best === undefined || (inside[best] ?? 0) <= LIKELY_CELL) return [];
  return free.filter(
    (piece) => stretch.wordOf(piece) === stretch.wordOf(best) && (inside[piece] ?? 0) > LIKELY_CELL / 2,
  );
}

function surestWord(pieces: readonly number[], { inside }: Column, stretch: PageStretch): readonly number[] {
  const word = stretch.wordOf(surest(pieces, inside) ?? 0);
  return pieces.filter((piece) => stretch.wordOf(piece) === word);
}

function surest(pieces: readonly number[], inside: Float32Array): number | undefined {
  return pieces.reduce<number | undefined>(
    (best, piece) => (best === undefined || (inside[piece] ?? 0) > (inside[best] ?? 0) ? piece : best),
    undefined,
  );
}
