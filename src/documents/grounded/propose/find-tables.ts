import type { Segment, SourceLine, SourceText } from '../read/source-text.ts';
import { labelTokens } from '../words/label-words.ts';

/** A cell and its offset in the text. */
export interface TableCell {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Text in rows and columns. */
export interface Table {
  /** The first row, if it may be a header. */
  readonly header: readonly string[] | undefined;
  /** One entry per column; undefined if the cell is empty. */
  readonly rows: readonly (readonly (TableCell | undefined)[])[];
  /** The heading above it. */
  readonly heading: readonly string[];
}

const RULE = /^[\s|:+=_-]*$/;
const SUMMARY = ['=total', '=net', '=vat', '=gross', '=change', '=given', '=payment', '=discount', '=tip'];

/** Finds tables: adjacent lines with two or more cells that are not labels. */
export function findTables({ lines }: SourceText): readonly Table[] {
  const tables: Table[] = [];
  let rows: SourceLine[] = [];
  let first = 0;
  const end = () => {
    if (rows.length > 0) tables.push(...tablesOf(rows, headingAbove(lines, first)));
    rows = [];
  };
  for (const [index, line] of lines.entries()) {
    const isRule = line.text.trim() !== '' && RULE.test(line.text);
    // A rule after the first row separates header and body.
    if (isRule && rows.length <= 1) continue;
    if (isRule || line.segments.length < 2 || line.segments.some(isLabel)) {
      end();
      continue;
    }
    if (rows.length === 0) first = index;
    rows.push(line);
  }
  end();
  return tables;
}

function isLabel({ text }: Segment): boolean {
  return /:(?:\s|$)/.test(text);
}

/** Single segments in the two lines above a table. */
export function headingAbove(lines: readonly SourceLine[], first: number): readonly string[] {
  const above = lines.slice(Math.max(0, first - 2), first).flatMap(({ segments }) => segments);
  return above.length === 1 ? labelTokens(above[0]?.text ?? '') : [];
}

/** The same rows with and without a header, if it is ambiguous. */
function tablesOf(lines: readonly SourceLine[], heading: readonly string[]): readonly Table[] {
  const [top, ...below] = lines;
  if (top === undefined) return [];
  const mayBeHeader = below.length > 0 && top.segments.every(({ text }) => !/\d/.test(text));
  const widest = lines.reduce((one, other) => (other.segments.length > one.segments.length ? other : one));
  const plain = { header: undefined, rows: rowsIn(lines, widest.segments), heading };
  if (!mayBeHeader) return [plain];
  const headed = { header: top.segments.map(({ text }) => text), rows: rowsIn(below, top.segments), heading };
  return [headed, plain];
}

function rowsIn(lines: readonly SourceLine[], columns: readonly Segment[]): Table['rows'] {
  return lines.filter((line) => !isSummary(line)).map((line) => rowIn(line, columns));
}

/** Totals below the items are not items. */
function isSummary({ segments }: SourceLine): boolean {
  const tokens = labelTokens(segments[0]?.text ?? '').flatMap((token) => token.split('|'));
  return tokens.length > 0 && SUMMARY.some((concept) => tokens.slice(0, 2).includes(concept));
}

/** Assigns each cell to the column above it. */
function rowIn(line: SourceLine, columns: readonly Segment[]): readonly (TableCell | undefined)[] {
  const row: (TableCell | undefined)[] = columns.map(() => undefined);
  const inOrder = line.segments.length === columns.length;
  line.segments.forEach((segment, order) => {
    const column = inOrder ? order : nearestColumn(segment, columns);
    const start = line.start + segment.column;
    const before = row[column];
    const cell = { text: segment.text, start, end: start + segment.text.length };
    row[column] =
      before === undefined ? cell : { ...before, text: `${before.text} ${cell.text}`, end: cell.end };
  });
  return row;
}

function nearestColumn(segment: Segment, columns: readonly Segment[]): number {
  const distances = columns.map((column) => {
    const gap = Math.max(column.column - endOf(segment), segment.column - endOf(column));
    return gap > 0 ? gap : Math.min(0, gap) / 100;
  });
  return distances.indexOf(Math.min(...distances));
}

function endOf({ column, text }: Segment): number {
  return column + text.length;
}
