import type { PageText } from '../../reading/page-text.ts';
import type { Block } from '../block.ts';
import { cleanText } from './clean-text.ts';
import { printedBlocks } from './printed-blocks.ts';
import type { PrintedLine } from './printed-line.ts';
import { withoutRunningLines } from './running-lines.ts';

/** What blocks are told by on a page: its text, and how tall each line is that is not blank. */
export interface PrintedPage {
  readonly text: string;
  readonly heights: readonly number[];
}

/** What of a page matters here, small enough to be sent to another thread. */
export function printedPage({ text, lines }: Pick<PageText, 'text' | 'lines'>): PrintedPage {
  return { text, heights: lines.map(({ box }) => box.y1 - box.y0) };
}

/** The blocks of a document, of what was kept of its pages. */
export function blocksOfPrintedPages(pages: readonly PrintedPage[]): readonly Block[] {
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

/** Known only once the lines that run over all pages are gone. */
function withFirstMarked(lines: readonly PrintedLine[]): readonly PrintedLine[] {
  const [first, ...rest] = lines;
  return first ? [{ ...first, isFirstOfPage: true, hasGapAbove: true }, ...rest] : [];
}

function medianHeight(pages: readonly PrintedPage[]): number {
  const heights = pages.flatMap((page) => page.heights).sort((one, other) => one - other);
  return heights[heights.length >> 1] ?? 0;
}
