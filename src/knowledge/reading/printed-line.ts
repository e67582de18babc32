/** A line of a text that has no structure but how it is printed. */
export interface PrintedLine {
  /** Without white space around it. */
  readonly text: string;
  /** How far it is indented, in characters. */
  readonly indent: number;
  readonly page: number | undefined;
  /** Whether there is a blank line, or the edge of the page, above it. */
  readonly hasGapAbove: boolean;
  readonly isFirstOfPage: boolean;
  /** Its height over that of most lines; undefined where heights are not known. */
  readonly size: number | undefined;
}

/** The parts of a line between wide gaps, and in which column of characters each begins. */
export interface PrintedCell {
  readonly text: string;
  readonly start: number;
}

/** Longer lines are no rows of a table. */
const MAX_ROW_CHARACTERS = 1_000;

/** Splits a line at gaps of two spaces or more, or at tabs. */
export function printedCells({ text, indent }: Pick<PrintedLine, 'text' | 'indent'>): readonly PrintedCell[] {
  if (text.length > MAX_ROW_CHARACTERS || !/ {2}|\t/.test(text)) return [{ text, start: indent }];
  const cells: PrintedCell[] = [];
  let start = 0;
  for (const gap of text.matchAll(/\s*\t\s*|\s{2,}/g)) {
    cells.push({ text: text.slice(start, gap.index), start: indent + start });
    start = gap.index + gap[0].length;
  }
  return [...cells, { text: text.slice(start), start: indent + start }];
}
