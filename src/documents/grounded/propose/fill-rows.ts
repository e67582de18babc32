import type { DocumentContext } from '../../values/document-context.ts';
import { overlaps } from '../../values/found-value.ts';
import { parseNumber } from '../../values/parse-number.ts';
import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import { isAbout } from './candidate.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledLeaf, FilledList } from './filled-list.ts';
import type { Table, TableCell } from './find-tables.ts';
import { lineAmountColumns } from './line-amounts.ts';
import type { SourceRange } from './network-answers.ts';
import { leavesOf } from './object-of.ts';
import { shapeOf } from './value-shape.ts';

/** Knowledge of a file beside its tables. */
export interface TableClues {
  readonly context: DocumentContext;
  /** The numbers of the file, in cents. */
  readonly printedCents: ReadonlySet<number>;
  /** Where the network sees the cells of each field. */
  readonly seen: ReadonlyMap<Field, readonly SourceRange[]>;
}

interface Mapping {
  readonly columns: ReadonlyMap<Field, number>;
  readonly score: number;
}

const HEADER_WEIGHT = 3;
/** The network names columns where titles do not; geometry says which cells they have. */
const SEEN_WEIGHT = 2.5;
/** A column that is quantity times price, or adds up to a printed sum, has the amounts of lines. */
const AMOUNT_WEIGHT = 1.5;
const ORDER_COST = 0.05;
const MISSING_COST = 1.5;
const LEAST_SCORE = 0.35;
/** Only columns that titles or the network name bring this much. */
const NAMED_SCORE = 1.8;
const MANY_ROWS = 3;
/** Rows sampled to score a column. */
const MAX_JUDGED_ROWS = 100;

/** Builds a list of objects from the table whose columns fit best, and its continuations under the same titles. */
export function fillRows(
  plan: ListPlan & { readonly item: ObjectPlan },
  tables: readonly Table[],
  clues: TableClues,
): FilledList | undefined {
  const fields = leavesOf(plan.item);
  let best: { readonly table: Table; readonly mapping: Mapping; readonly score: number } | undefined;
  for (const table of tables) {
    const mapping = mapColumns(fields, table, clues);
    if (mapping === undefined) continue;
    const score =
      mapping.score +
      0.5 * similarity(table.heading, plan.words) +
      0.1 * Math.min(MANY_ROWS, table.rows.length);
    if (best === undefined || score > best.score) best = { table, mapping, score };
  }
  if (best === undefined || best.mapping.score < LEAST_SCORE) return undefined;
  const { mapping, table: chosen, score } = best;
  const rows = tables
    .filter((table) => table === chosen || hasSameTitles(table, chosen))
    .flatMap((table) => withoutTitles(table, mapping))
    .flatMap((row) => itemOf(plan.item, row, { columns: mapping.columns, context: clues.context }) ?? []);
  return rows.length === 0
    ? undefined
    : { items: rows.slice(0, plan.maxItems), fit: score, isNamed: score >= NAMED_SCORE };
}

/** The rows without a first one that holds titles which name no column: no figures, where the rows below have numbers. */
function withoutTitles({ header, rows }: Table, { columns }: Mapping): Table['rows'] {
  const [first, ...others] = rows;
  const hasNumbers = Array.from(columns).some(
    ([{ kind }, column]) => (kind === 'number' || kind === 'integer') && first?.[column] !== undefined,
  );
  const isTitles =
    first !== undefined &&
    first.length > 1 &&
    first.every((cell) => cell !== undefined && !/\d/.test(cell.text));
  return header === undefined && hasNumbers && isTitles && others.length > 0 ? others : rows;
}

/** A table that goes on on the next page repeats its titles. */
function hasSameTitles({ header: one }: Table, { header: other }: Table): boolean {
  return one !== undefined && other !== undefined && one.join('|') === other.join('|');
}

/** Assigns columns to properties greedily; titles and what the network sees count most, then value types. */
function mapColumns(fields: readonly Field[], table: Table, clues: TableClues): Mapping | undefined {
  const width = table.rows[0]?.length ?? 0;
  const amounts = lineAmountColumns(table, (text) => numberIn(text, clues), clues.printedCents);
  const pairs = fields
    .flatMap((field, order) => {
      const shares = sharesSeen(clues.seen.get(field) ?? [], table, width);
      return shares.map((seen, column) => ({
        field,
        column,
        fit: fitOf(field, { table, column, order, seen, isAmount: amounts.has(column), clues }),
      }));
    })
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit);
  const columns = new Map<Field, number>();
  let score = 0;
  for (const { field, column, fit } of pairs) {
    if (columns.has(field) || Array.from(columns.values()).includes(column)) continue;
    columns.set(field, column);
    score += fit;
  }
  const missing = fields.filter((field) => !columns.has(field));
  if (columns.size === 0 || missing.some((field) => !field.isNullable && !mayMiss(field))) return undefined;
  return { columns, score: (score - MISSING_COST * missing.length) / fields.length };
}

/** Within an item, only optional properties may be missing. */
function mayMiss(field: Field): boolean {
  return field.isOptional;
}

interface ColumnPosition {
  readonly table: Table;
  readonly column: number;
  readonly order: number;
  /** The share of the cells that the network sees for the field. */
  readonly seen: number;
  /** Whether figures say that the column has the amounts of lines. */
  readonly isAmount: boolean;
  readonly clues: TableClues;
}

function fitOf(field: Field, { table, column, order, seen, isAmount, clues }: ColumnPosition): number {
  const cells = table.rows.slice(0, MAX_JUDGED_ROWS).flatMap((row) => row[column] ?? []);
  if (cells.length === 0) return 0;
  const values = cells
    .map(({ text }) => cellValue(field, text, clues.context))
    .filter((value) => value !== undefined);
  // One row in four may be odd: a heading between items, or a misread figure.
  if (values.length < 0.75 * cells.length) return 0;
  const title = table.header?.[column];
  const named = title === undefined ? 0 : HEADER_WEIGHT * similarity(labelTokens(title), field.words);
  const amount = isAmount && field.kind === 'number' && isAbout(field, 'total', 'amount') ? AMOUNT_WEIGHT : 0;
  const away = ORDER_COST * Math.abs(order - column);
  return named + SEEN_WEIGHT * seen + amount + typeFit(field, cells) - away;
}

/** The share of each column of the cells that the network sees in this table. */
function sharesSeen(seen: readonly SourceRange[], { rows }: Table, width: number): readonly number[] {
  const counts = Array.from({ length: width }, () => 0);
  for (const row of rows.slice(0, MAX_JUDGED_ROWS)) {
    for (const range of seen) {
      const column = row.findIndex((cell) => cell !== undefined && overlaps(cell, range));
      if (column >= 0) counts[column] = (counts[column] ?? 0) + 1;
    }
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (all === 0 ? 0 : count / all));
}

function numberIn(text: string, { context }: TableClues): number | undefined {
  const written = /[-−–]?\d[\d\s.,'’]*/.exec(text)?.[0].trim();
  return written === undefined ? undefined : parseNumber(written, context.decimalSign);
}

function typeFit(field: Field, cells: readonly TableCell[]): number {
  if (field.kind !== 'text') return 1;
  const fits = shapeOf(field);
  const looks = cells.reduce((sum, { text }) => sum + fits(text), 0) / cells.length;
  const numeric = cells.filter(({ text }) => /^[\d\s.,€$£%-]+$/.test(text)).length / cells.length;
  return 0.8 + 0.4 * looks - 0.5 * numeric;
}

function itemOf(
  { properties }: ObjectPlan,
  row: readonly (TableCell | undefined)[],
  { columns, context }: Pick<Mapping, 'columns'> & Pick<TableClues, 'context'>,
): FilledItem | undefined {
  const item: Record<string, unknown> = {};
  const leaves = new Map<string, FilledLeaf>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const column = columns.get(plan.field);
    const cell = column === undefined ? undefined : row[column];
    const value = cell === undefined ? undefined : cellValue(plan.field, cell.text, context);
    if (cell !== undefined && value !== undefined) {
      item[name] = value;
      leaves.set(name, { start: cell.start, end: cell.end });
    } else if (plan.field.isNullable) item[name] = null;
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value: item, leaves };
}
