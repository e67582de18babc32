import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledLeaf, FilledList } from './filled-list.ts';
import type { Table, TableCell } from './find-tables.ts';
import { labelTokens, similarity } from './label-words.ts';
import type { Field, ListPlan, ObjectPlan } from './schema-plan.ts';
import { shapeOf } from './value-shape.ts';

interface Mapping {
  readonly columns: ReadonlyMap<Field, number>;
  readonly score: number;
}

const HEADER_WEIGHT = 3;
const ORDER_COST = 0.05;
const MISSING_COST = 1.5;
const LEAST_SCORE = 0.35;
const MANY_ROWS = 3;
/** Rows sampled to score a column. */
const MAX_JUDGED_ROWS = 100;

/** Builds a list of objects from the table whose columns fit best. */
export function fillRows(
  plan: ListPlan & { readonly item: ObjectPlan },
  tables: readonly Table[],
): FilledList | undefined {
  const fields = leavesOf(plan.item);
  let best: { readonly table: Table; readonly mapping: Mapping; readonly score: number } | undefined;
  for (const table of tables) {
    const mapping = mapColumns(fields, table);
    if (mapping === undefined) continue;
    const score =
      mapping.score +
      0.5 * similarity(table.heading, plan.words) +
      0.1 * Math.min(MANY_ROWS, table.rows.length);
    if (best === undefined || score > best.score) best = { table, mapping, score };
  }
  if (best === undefined || best.mapping.score < LEAST_SCORE) return undefined;
  const { columns } = best.mapping;
  const rows = best.table.rows.flatMap((row) => itemOf(plan.item, row, columns) ?? []);
  return rows.length === 0 ? undefined : { items: rows.slice(0, plan.maxItems), fit: best.score };
}

function leavesOf({ properties }: ObjectPlan): readonly Field[] {
  return properties.flatMap(({ plan }) => (plan.type === 'leaf' ? [plan.field] : []));
}

/** Assigns columns to properties greedily; header words count most, then value types. */
function mapColumns(fields: readonly Field[], table: Table): Mapping | undefined {
  const width = table.rows[0]?.length ?? 0;
  const pairs = fields
    .flatMap((field, order) =>
      Array.from({ length: width }, (_, column) => ({
        field,
        column,
        fit: fitOf(field, { table, column, order }),
      })),
    )
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
}

function fitOf(field: Field, { table, column, order }: ColumnPosition): number {
  const cells = table.rows.slice(0, MAX_JUDGED_ROWS).flatMap((row) => row[column] ?? []);
  if (cells.length === 0) return 0;
  const values = cells.map(({ text }) => cellValue(field, text)).filter((value) => value !== undefined);
  // One row in four may be odd: a heading between items, or a misread figure.
  if (values.length < 0.75 * cells.length) return 0;
  const title = table.header?.[column];
  const named = title === undefined ? 0 : HEADER_WEIGHT * similarity(labelTokens(title), field.words);
  return named + typeFit(field, cells) - ORDER_COST * Math.abs(order - column);
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
  columns: ReadonlyMap<Field, number>,
): FilledItem | undefined {
  const item: Record<string, unknown> = {};
  const leaves = new Map<string, FilledLeaf>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const column = columns.get(plan.field);
    const cell = column === undefined ? undefined : row[column];
    const value = cell === undefined ? undefined : cellValue(plan.field, cell.text);
    if (cell !== undefined && value !== undefined) {
      item[name] = value;
      leaves.set(name, { start: cell.start, end: cell.end });
    } else if (plan.field.isNullable) item[name] = null;
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value: item, leaves };
}
