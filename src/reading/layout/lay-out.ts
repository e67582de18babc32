import type { PageLine } from '../page-text.ts';
import { dropRules } from './drop-rules.ts';
import { groupRows } from './group-rows.ts';
import { joinHyphens } from './join-hyphens.ts';
import { levelWords } from './level-words.ts';
import { largest, median, type PlacedWord, smallest } from './placed-word.ts';
import { printRows } from './print-rows.ts';
import { splitColumns } from './split-columns.ts';

/** The text of a page and its lines. */
export interface LaidOut {
  readonly text: string;
  readonly lines: readonly PageLine[];
}

/**
 * Turns positioned words into plain text that preserves rows and columns. OCR and text layers share this code, so that a scanned
 * and a digital invoice look alike.
 */
export function layOut(words: readonly PlacedWord[]): LaidOut {
  const visible = words.filter(({ text }) => text !== '');
  if (visible.length === 0) return { text: '', lines: [] };
  const characterWidth = median(visible.map((word) => (word.x1 - word.x0) / word.text.length));
  const blocks = splitColumns(dropRules(groupRows(levelWords(visible)))).map((block) =>
    printRows(joinHyphens(block), characterWidth),
  );
  const text = blocks.map((lines) => lines.map((line) => line.text).join('\n')).join('\n\n');
  return { text: text.trimEnd(), lines: blocks.flat().map((line) => ({ ...line, text: line.text.trim() })) };
}

/** Joins the parts of a page, such as notes in the margin that run in another direction: each stands below the one before. */
export function joinLaidOut(parts: readonly LaidOut[]): LaidOut {
  let bottom: number | undefined;
  const lines = parts.flatMap((part) => {
    const heights = part.lines.flatMap(({ places = [] }) =>
      Array.from(places).filter((_, index) => index % 2 === 1),
    );
    const drop = bottom === undefined ? 0 : bottom - smallest(heights);
    if (heights.length > 0) bottom = drop + largest(heights);
    return drop === 0 ? part.lines : part.lines.map((line) => lowered(line, drop));
  });
  return { text: parts.map(({ text }) => text).join('\n\n'), lines };
}

function lowered(line: PageLine, drop: number): PageLine {
  if (line.places === undefined) return line;
  return { ...line, places: line.places.map((place, index) => (index % 2 === 1 ? place + drop : place)) };
}
