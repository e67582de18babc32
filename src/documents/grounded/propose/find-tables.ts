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

/** A row, and the line above it that its first cell begins in. */
interface TableLine extends SourceLine {
  readonly wrapped?: TableCell | undefined;
}

const RULE = /^[\s|:+=_-]*$/;
const SUMMARY = ['=total', '=net', '=vat', '=gross', '=change', '=given', '=payment', '=discount', '=tip'];

/** Lines of a wrapped name, details or a heading that may stand between two rows. */
const MOST_BETWEEN = 3;
/** How far cells of a column may stand apart. */
const COLUMN_GAP = 2;
/** Rows with a blank line between them are one table only if they have at least this many cells. */
const WIDE = 3;
const PART_ENDS = /[,;]\s+|\s[–—|·]\s/g;
const NUMBER = /^(\d{1,2})[.)]\s+/;
const NO_LINE: SourceLine = { text: '', start: 0, segments: [] };
const MOST_PARTS = 8;
const MOST_TITLE_WORDS = 4;

/** Finds tables: lines with two or more cells that are not labels, close to each other. */
export function findTables({ lines }: SourceText): readonly Table[] {
  const tables: Table[] = [];
  let rows: TableLine[] = [];
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
      if (isRule || !goesOn(lines, index, rows.at(-1))) end();
      continue;
    }
    if (isHeader(lines, index, rows.at(-1))) end();
    if (rows.length === 0) first = index;
    rows.push(rows.length === 0 ? line : { ...line, wrapped: wrappedAbove(lines, index) });
  }
  end();
  return tables;
}

/** The line above a row that its first cell goes on from: `Write to the owners of the` above `houses     Ann`. */
function wrappedAbove(lines: readonly SourceLine[], index: number): TableCell | undefined {
  const [own, above] = [lines[index], lines[index - 1]];
  const [only, ...others] = above?.segments ?? [];
  const cell = own?.segments[0];
  if (above === undefined || only === undefined || others.length > 0 || cell === undefined) return undefined;
  const isWrapped = only.column === cell.column && /^\p{Ll}/u.test(cell.text) && !/[.:;]$/.test(only.text);
  const start = above.start + only.column;
  return isWrapped ? { text: only.text, start, end: start + only.text.length } : undefined;
}

/** Whether a row has the titles of columns, so that rows above it are of another table: titles have no figures, cells below them do. */
function isHeader(lines: readonly SourceLine[], index: number, above: SourceLine | undefined): boolean {
  const { segments = [] } = lines[index] ?? {};
  const isApart = lines[index - 1]?.segments.length === 0 || above?.segments.length !== segments.length;
  if (!isApart || segments.length < WIDE || !segments.every(isTitle)) return false;
  const row = lines.slice(index + 1, index + 1 + MOST_BETWEEN).find((line) => line.segments.length > 1);
  return (
    row !== undefined &&
    row.segments.length >= segments.length - 1 &&
    row.segments.some(({ text }) => /\d/.test(text)) &&
    isAligned(row.segments, segments)
  );
}

function isTitle({ text }: Segment): boolean {
  return !/\d/.test(text) && text.split(/\s+/).length <= MOST_TITLE_WORDS;
}

function isLabel({ text }: Segment): boolean {
  return /:(?:\s|$)/.test(text);
}

/** Whether a table goes on below this line: it wraps a cell, is a heading or blank, and the next row has the same columns. */
function goesOn(lines: readonly SourceLine[], index: number, last: SourceLine | undefined): boolean {
  if (last === undefined) return false;
  const below = lines.slice(index, index + MOST_BETWEEN + 1);
  const next = below.findIndex(({ segments }) => segments.length > 1);
  const row = below[next];
  if (row === undefined || row.segments.some(isLabel) || isSummary(row, last.segments)) return false;
  const between = below.slice(0, next);
  if (
    between.some(
      (line) => isSummary(line, last.segments) || (line.text.trim() !== '' && RULE.test(line.text)),
    )
  )
    return false;
  const isApart = between.some(({ segments }) => segments.length === 0);
  if (isApart && (row.segments.length < WIDE || row.segments.length !== last.segments.length)) return false;
  return isAligned(last.segments, row.segments) || isAligned(row.segments, last.segments);
}

/** Whether each segment stands in the column of one of the others. */
function isAligned(some: readonly Segment[], others: readonly Segment[]): boolean {
  return some.every((segment) => others.some((other) => gapOf(segment, other) <= COLUMN_GAP));
}

/** Single segments in the two lines above a table. */
function headingAbove(lines: readonly SourceLine[], first: number): readonly string[] {
  const above = lines.slice(Math.max(0, first - 2), first).flatMap(({ segments }) => segments);
  return above.length === 1 ? labelTokens(above[0]?.text ?? '') : [];
}

/** The same rows with and without a header, if it is ambiguous. */
function tablesOf(lines: readonly TableLine[], heading: readonly string[]): readonly Table[] {
  const [top, ...below] = lines;
  if (top === undefined) return [];
  const mayBeHeader = below.length > 0 && top.segments.every(({ text }) => !/\d/.test(text));
  const widest = lines.reduce((one, other) => (other.segments.length > one.segments.length ? other : one));
  const all = rowsIn(lines, widest.segments);
  const plain = { header: undefined, rows: isNumbered(all) ? all.map(withoutNumber) : all, heading };
  if (!mayBeHeader) return [plain];
  const titles = withUntitled(top.segments, below);
  const headed = { header: titles.map(({ text }) => text), rows: rowsIn(below, titles), heading };
  return [headed, plain];
}

/** The titles, with one without words where all rows have a first cell that no title stands above. */
function withUntitled(titles: readonly Segment[], rows: readonly TableLine[]): readonly Segment[] {
  const [first] = titles;
  const cells = rows.flatMap(({ segments }) => segments[0] ?? []);
  const isUntitled =
    first !== undefined &&
    cells.every((cell) => endOf(cell) <= first.column - COLUMN_GAP) &&
    rows.every(({ segments }) => segments.length <= titles.length + 1);
  const column = cells.reduce((least, cell) => Math.min(least, cell.column), Number.POSITIVE_INFINITY);
  return isUntitled ? [{ text: '', column }, ...titles] : titles;
}

function rowsIn(lines: readonly TableLine[], columns: readonly Segment[]): Table['rows'] {
  return lines.filter((line) => !isSummary(line, columns)).map((line) => rowIn(line, columns));
}

/** Whether rows are numbered one after the other in front of their first cells. */
function isNumbered(rows: Table['rows']): boolean {
  return (
    rows.length > 1 &&
    rows.every(([first], index) => NUMBER.exec(first?.text ?? '')?.[1] === String(index + 1))
  );
}

function withoutNumber([first, ...others]: Table['rows'][number]): Table['rows'][number] {
  if (first === undefined) return [first, ...others];
  const text = first.text.replace(NUMBER, '');
  return [{ ...first, text, start: first.end - text.length }, ...others];
}

/** Totals below the items are not items; `Total cholesterol` in a row with all its cells is one. */
function isSummary({ segments }: SourceLine, columns: readonly Segment[]): boolean {
  const tokens = labelTokens(segments[0]?.text ?? '').flatMap((token) => token.split('|'));
  const isItem =
    segments.length >= WIDE &&
    segments.length === columns.length &&
    tokens.some((token) => !token.startsWith('='));
  return !isItem && SUMMARY.some((concept) => tokens.slice(0, 2).includes(concept));
}

/** Assigns each cell to the column above it. */
function rowIn(line: TableLine, columns: readonly Segment[]): readonly (TableCell | undefined)[] {
  const row: (TableCell | undefined)[] = columns.map((_, column) =>
    column === 0 ? line.wrapped : undefined,
  );
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
    const gap = gapOf(segment, column);
    return gap > 0 ? gap : Math.min(0, gap) / 100;
  });
  return distances.indexOf(Math.min(...distances));
}

/** The characters between two segments of different lines; negative if they share columns. */
function gapOf(one: Segment, other: Segment): number {
  return Math.max(one.column - endOf(other), other.column - endOf(one));
}

function endOf({ column, text }: Segment): number {
  return column + text.length;
}

/** Lines under a heading with the same number of comma-separated parts, such as an education section; an empty line may stand between them. */
export function findEntries({ lines }: SourceText): readonly Table[] {
  const tables: Table[] = [];
  let rows: (readonly TableCell[])[] = [];
  let first = 0;
  for (const [index, line] of [...lines, undefined].entries()) {
    const cells = line === undefined ? [] : partsOf(line);
    const [above] = rows;
    if (above !== undefined && isEmpty(line) && isAlike(partsOf(lines[index + 1] ?? NO_LINE), above))
      continue;
    if (above !== undefined && cells.length !== above.length) {
      const heading = headingAbove(lines, first);
      if (heading.length > 0) tables.push({ header: undefined, rows, heading });
      rows = [];
    }
    if (cells.length <= 1 || cells.length > MOST_PARTS) continue;
    if (rows.length === 0) first = index;
    rows = [...rows, cells];
  }
  return tables;
}

function isEmpty(line: SourceLine | undefined): boolean {
  return line?.segments.length === 0;
}

/** Whether two lines have as many parts, and figures in the same ones. */
function isAlike(cells: readonly TableCell[], others: readonly TableCell[]): boolean {
  const hasFigure = (cell: TableCell | undefined) => /\d/.test(cell?.text ?? '');
  return (
    cells.length === others.length && cells.every((cell, at) => hasFigure(cell) === hasFigure(others[at]))
  );
}

/** The parts of a line that is a single unlabelled segment. */
function partsOf({ segments, start }: SourceLine): readonly TableCell[] {
  const [segment, ...others] = segments;
  if (segment === undefined || others.length > 0 || /:(?:\s|$)/.test(segment.text)) return [];
  const ends = [...segment.text.matchAll(PART_ENDS)].map(
    ({ index, 0: mark }) => [index, index + mark.length] as const,
  );
  const from = [0, ...ends.map(([, after]) => after)];
  const to = [...ends.map(([before]) => before), segment.text.length];
  return from.map((begin, order) => {
    const text = segment.text.slice(begin, to[order]).replace(/[.]$/, '').trim();
    const at = start + segment.column + begin;
    return { text, start: at, end: at + text.length };
  });
}
