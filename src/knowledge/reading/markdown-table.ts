import { inOneLine } from './clean-text.ts';
import { markdownInline } from './markdown-inline.ts';

const RULE = /^[\s|:-]+$/;

/** Whether a pipe table starts here, judged by the rule below. */
export function isTableStart(line: string, below: string): boolean {
  if (!line.includes('|') || !below.includes('-') || !RULE.test(below)) return false;
  const rule = splitRow(below);
  return rule.length === splitRow(line).length && rule.every((cell) => /^\s*:?-+:?\s*$/.test(cell));
}

/** The text of each cell of a row. */
export function markdownCells(row: string): readonly string[] {
  return splitRow(row).map((cell) => inOneLine(markdownInline(cell.replace(/<br\s*\/?>/gi, ' '))));
}

function splitRow(row: string): readonly string[] {
  const cells = row.trim().split(/(?<!\\)\|/);
  if (cells[0]?.trim() === '') cells.shift();
  if (cells.length > 1 && cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.replaceAll('\\|', '|'));
}
