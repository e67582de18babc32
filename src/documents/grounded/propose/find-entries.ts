import type { SourceLine, SourceText } from '../read/source-text.ts';
import { headingAbove, type Table, type TableCell } from './find-tables.ts';

const BETWEEN = /[,;]\s+|\s[–—|·]\s/g;
const MOST_PARTS = 8;

/** Lines under a heading with the same number of comma-separated parts, such as an education section. */
export function findEntries({ lines }: SourceText): readonly Table[] {
  const tables: Table[] = [];
  let rows: (readonly TableCell[])[] = [];
  for (const [index, line] of [...lines, undefined].entries()) {
    const cells = line === undefined ? [] : cellsOf(line);
    const [above] = rows;
    if (above !== undefined && cells.length !== above.length) {
      const heading = headingAbove(lines, index - rows.length);
      if (heading.length > 0) tables.push({ header: undefined, rows, heading });
      rows = [];
    }
    if (cells.length > 1 && cells.length <= MOST_PARTS) rows = [...rows, cells];
  }
  return tables;
}

/** The parts of a line that is a single unlabelled segment. */
function cellsOf({ segments, start }: SourceLine): readonly TableCell[] {
  const [segment, ...others] = segments;
  if (segment === undefined || others.length > 0 || /:(?:\s|$)/.test(segment.text)) return [];
  const ends = [...segment.text.matchAll(BETWEEN)].map(
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
