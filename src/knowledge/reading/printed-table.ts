import type { TableBlock } from '../document-block.ts';
import { type PrintedCell, type PrintedLine, printedCells } from './printed-line.ts';

const MIN_ROWS = 2;

interface PrintedRow {
  readonly cells: readonly PrintedCell[];
}

/** A table that starts with the first of these lines, and its number of lines; undefined if there is none. */
export function printedTable(
  lines: readonly PrintedLine[],
  from: number,
): { table: TableBlock; lines: number } | undefined {
  const rows: PrintedRow[] = [];
  let at = from;
  for (let line = lines[at]; line; line = lines[at]) {
    const cells = printedCells(line);
    if (cells.length < 2 && !isContinuation(line, rows)) break;
    if (cells.length > 1 && rows.length > 0 && line.hasGapAbove && !isAligned(cells, rows)) break;
    if (cells.length > 1) rows.push({ cells });
    else appendTo(rows, { text: line.text, start: line.indent });
    at += 1;
  }
  if (rows.length < MIN_ROWS) return undefined;
  return { table: tableOf(rows), lines: at - from };
}

/** A line below a column other than the first, close to its row. */
function isContinuation(line: PrintedLine, rows: readonly PrintedRow[]): boolean {
  const cells = rows.at(-1)?.cells;
  if (!cells || line.hasGapAbove) return false;
  return cells.slice(1).some(({ start }) => Math.abs(start - line.indent) <= 1);
}

function appendTo(rows: PrintedRow[], part: PrintedCell): void {
  const row = rows.pop();
  if (!row) return;
  const nearest = nearestColumn(
    row.cells.map(({ start }) => start),
    part.start,
  );
  const cells = row.cells.map((cell, index) =>
    index === nearest ? { ...cell, text: `${cell.text} ${part.text}` } : cell,
  );
  rows.push({ cells });
}

function isAligned(cells: readonly PrintedCell[], rows: readonly PrintedRow[]): boolean {
  return rows.some((row) => row.cells.length === cells.length);
}

function tableOf(rows: readonly PrintedRow[]): TableBlock {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const full = rows.filter(({ cells }) => cells.length === width);
  const centres = Array.from({ length: width }, (_, column) =>
    mean(full.map(({ cells }) => centreOf(cells[column]))),
  );
  const [first = [], ...rest] = rows.map(({ cells }) => inColumns(cells, centres));
  const isNamed = namesColumns(first, rest);
  return { type: 'table', header: isNamed ? first : [], rows: isNamed ? rest : [first, ...rest] };
}

/** A complete row has a cell per column; cells of others are assigned by position. */
function inColumns(cells: readonly PrintedCell[], centres: readonly number[]): readonly string[] {
  if (cells.length === centres.length) return cells.map(({ text }) => text);
  const row = centres.map(() => '');
  for (const cell of cells) {
    const column = nearestColumn(centres, centreOf(cell));
    row[column] = `${row[column] ?? ''} ${cell.text}`.trim();
  }
  return row;
}

function namesColumns(first: readonly string[], rest: readonly (readonly string[])[]): boolean {
  if (first.some((name) => name === '' || /\d/.test(name)) || first[0]?.endsWith(':')) return false;
  const hasNumbers = first.some((_, column) => rest.some((row) => /\d/.test(row[column] ?? '')));
  return first.length > 2 || hasNumbers;
}

function centreOf(cell: PrintedCell | undefined): number {
  return cell ? cell.start + cell.text.length / 2 : 0;
}

function nearestColumn(positions: readonly number[], position: number): number {
  let nearest = 0;
  for (const [index, other] of positions.entries()) {
    if (Math.abs(other - position) < Math.abs((positions[nearest] ?? 0) - position)) nearest = index;
  }
  return nearest;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
