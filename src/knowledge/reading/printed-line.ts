/** A line of text without markup. */
export interface PrintedLine {
  /** Trimmed. */
  readonly text: string;
  /** Indentation in characters. */
  readonly indent: number;
  readonly page: number | undefined;
  /** Whether a blank line or the edge of the page is above it. */
  readonly hasGapAbove: boolean;
  readonly isFirstOfPage: boolean;
  /** Height relative to the median; undefined if unknown. */
  readonly size: number | undefined;
}

/** A part of a line between wide gaps, and the column it starts in. */
export interface PrintedCell {
  readonly text: string;
  readonly start: number;
}

/** Longer lines are not table rows. */
const MAX_ROW_CHARACTERS = 1_000;

/** Splits a line at tabs and at two or more spaces. */
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
