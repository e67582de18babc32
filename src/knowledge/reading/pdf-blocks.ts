import type { PageText } from '../../reading/page-text.ts';
import type { DocumentBlock } from '../document-block.ts';
import { cleanText } from './clean-text.ts';
import { printedBlocks } from './printed-blocks.ts';
import type { PrintedLine } from './printed-line.ts';
import { withoutRunningLines } from './running-lines.ts';

/** The text of a page and the heights of its non-blank lines. */
export interface PrintedPage {
  readonly text: string;
  readonly heights: readonly number[];
}

/** Reduces a page to a size that is cheap to send to another thread. */
export function printedPage({ text, lines }: Pick<PageText, 'text' | 'lines'>): PrintedPage {
  return { text, heights: lines.map(({ box }) => box.y1 - box.y0) };
}

/** The blocks of a document, of what was kept of its pages. */
export function blocksOfPrintedPages(pages: readonly PrintedPage[]): readonly DocumentBlock[] {
  const usual = medianHeight(pages);
  const lines = pages.map((page, index) => linesOf(page, index + 1, usual));
  return printedBlocks(withoutRunningLines(lines).flatMap(withFirstMarked));
}

function linesOf({ text, heights }: PrintedPage, page: number, usual: number): readonly PrintedLine[] {
  const rows = cleanText(text).split('\n');
  const areHeightsKnown = rows.filter((row) => row.trim() !== '').length === heights.length;
  const lines: PrintedLine[] = [];
  let hasGapAbove = true;
  for (const row of rows) {
    const trimmed = row.trim();
    if (trimmed === '') {
      hasGapAbove = true;
      continue;
    }
    const height = areHeightsKnown ? heights[lines.length] : undefined;
    lines.push({
      text: trimmed,
      indent: row.length - row.trimStart().length,
      page,
      hasGapAbove,
      isFirstOfPage: false,
      size: height === undefined || usual === 0 ? undefined : height / usual,
    });
    hasGapAbove = false;
  }
  return lines;
}

/** Can only be determined after running lines are removed. */
function withFirstMarked(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const [first, ...rest] = lines;
  return first ? [{ ...first, isFirstOfPage: true, hasGapAbove: true }, ...rest] : [];
}

function medianHeight(pages: readonly PrintedPage[]): number {
  const heights = pages.flatMap((page) => page.heights).sort((one, other) => one - other);
  return heights[heights.length >> 1] ?? 0;
}
