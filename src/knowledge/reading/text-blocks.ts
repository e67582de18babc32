import type { DocumentBlock } from '../document-block.ts';
import { printedBlocks } from './printed-blocks.ts';
import type { PrintedLine } from './printed-line.ts';

/** Longer lines are paragraphs: the text is not hard-wrapped. */
const MAX_WRAPPED_CHARACTERS = 160;
const UNDERLINE = /^(?:={3,}|-{3,}|~{3,})$/;

/** The blocks of plain text: paragraphs between blank lines, and lines that look like headings. */
export function textBlocks(text: string): readonly DocumentBlock[] {
  const parts: (readonly DocumentBlock[])[] = [];
  let lines: PrintedLine[] = [];
  let hasGapAbove = true;
  for (const row of text.split('\n')) {
    const trimmed = row.trim();
    const above = lines.at(-1);
    if (UNDERLINE.test(trimmed)) {
      if (above && !hasGapAbove && trimmed.length >= above.text.length / 2) {
        const level = trimmed.startsWith('=') ? 1 : 2;
        parts.push(printedBlocks(lines.slice(0, -1)), [{ type: 'heading', level, text: above.text }]);
        lines = [];
      }
      hasGapAbove = true;
    } else if (trimmed === '') hasGapAbove = true;
    else {
      const isLong = trimmed.length > MAX_WRAPPED_CHARACTERS;
      lines.push(lineOf(row, trimmed, hasGapAbove || isLong));
      hasGapAbove = isLong;
    }
  }
  return [...parts, printedBlocks(lines)].flat();
}

function lineOf(row: string, text: string, hasGapAbove: boolean): PrintedLine {
  const indent = row.length - row.trimStart().length;
  return { text, indent, page: undefined, hasGapAbove, isFirstOfPage: false, size: undefined };
}
