import type { DocumentBlock } from '../document-block.ts';
import { singleSpaced } from './clean-text.ts';
import { isItem, printedHeading } from './printed-heading.ts';
import type { PrintedLine } from './printed-line.ts';
import { printedTable } from './printed-table.ts';

/** A line shorter than this fraction of its paragraph's widest was broken deliberately. */
const FULL_LINE_FRACTION = 0.6;
const SENTENCE_END = /[.!?:;。！？：；…]["'»”’)\]」』]*$/u;
const IDEOGRAPH = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Infers blocks from text without markup. */
export function printedBlocks(lines: readonly PrintedLine[]): readonly DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let open: PrintedLine[] = [];
  const close = () => {
    const [first] = open;
    if (first) blocks.push(paragraphOf(open, first.page));
    open = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) break;
    if (open.length > 0 && isContinued(open, line)) {
      open.push(line);
      continue;
    }
    const level = printedHeading(line, { below: lines[at + 1] });
    const table = level === undefined ? printedTable(lines, at) : undefined;
    if (level === undefined && !table) {
      if (beginsParagraph(open, line)) close();
      open.push(line);
      continue;
    }
    close();
    if (level !== undefined)
      blocks.push({ type: 'heading', level, text: spaced(line.text), page: line.page });
    if (table) {
      blocks.push({ ...table.table, page: line.page });
      at += table.lines - 1;
    }
  }
  close();
  return blocks;
}

function beginsParagraph(open: readonly PrintedLine[], line: PrintedLine): boolean {
  return line.hasGapAbove || isItem(line.text) || changesSize(open.at(-1), line);
}

/** An unfinished sentence continues below a gap or on the next page. */
function isContinued(open: readonly PrintedLine[], line: PrintedLine): boolean {
  const last = open.at(-1);
  if (!last || !line.hasGapAbove || SENTENCE_END.test(last.text) || isItem(line.text)) return false;
  if (/^\p{Ll}/u.test(line.text)) return true;
  return (
    line.isFirstOfPage &&
    open.length > 1 &&
    last.text.length >= 0.8 * widestOf(open) &&
    !/^\d/.test(line.text)
  );
}

function changesSize(above: PrintedLine | undefined, line: PrintedLine): boolean {
  if (above?.size === undefined || line.size === undefined) return false;
  return Math.abs(above.size - line.size) > 0.3 * above.size;
}

function paragraphOf(lines: readonly PrintedLine[], page: number | undefined): DocumentBlock {
  const widest = widestOf(lines);
  let text = '';
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    text += above ? joint(above, line, widest) + spaced(line.text) : spaced(line.text);
    // Joins a word hyphenated across pages.
    if (/\p{Ll}-$/u.test(text) && lines[index + 1] && /^\p{Ll}/u.test(lines[index + 1]?.text ?? '')) {
      text = text.slice(0, -1);
    }
  }
  return { type: 'paragraph', text, page };
}

function joint(above: PrintedLine, line: PrintedLine, widest: number): string {
  if (/\p{Ll}-$/u.test(above.text) && /^\p{Ll}/u.test(line.text)) return '';
  if (above.text.length < FULL_LINE_FRACTION * widest) return '\n';
  return IDEOGRAPH.test(above.text.at(-1) ?? '') && IDEOGRAPH.test(line.text[0] ?? '') ? '' : ' ';
}

function widestOf(lines: readonly PrintedLine[]): number {
  return lines.reduce((most, { text }) => Math.max(most, text.length), 0);
}

function spaced(text: string): string {
  return singleSpaced(text).replace(/(?:\s?\.){4,}/g, ' …');
}
