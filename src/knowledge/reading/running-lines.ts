import { singleSpaced } from './clean-text.ts';
import type { PrintedLine } from './printed-line.ts';

/** Lines at the top and bottom of a page that may be running headers or footers. */
const EDGE_LINES = 3;
const MIN_PAGES = 3;
/** Fraction of pages; left and right pages may differ. */
const MIN_FRACTION = 0.4;
const MAX_NUMBERS = 4;
/** Only the start of a line is compared. */
const MAX_COMPARED_CHARACTERS = 200;

/** Removes running headers, footers and page numbers. */
export function withoutRunningLines(
  pages: readonly (readonly PrintedLine[])[],
): readonly (readonly PrintedLine[])[] {
  const keys = pages.map(edgeKeys);
  const running = runningKeys(keys);
  // A table over many pages repeats its header row; keep the first one.
  const kept = new Set<string>();
  return pages.map((lines, page) =>
    lines.filter(({ text }, position) => {
      const found = (keys[page]?.get(position) ?? []).filter((key) => running.has(key));
      if (found.length === 0) return true;
      const isNewRow = / {2}|\t/.test(text) && !/\d/.test(text) && !found.some((key) => kept.has(key));
      for (const key of found) kept.add(key);
      return isNewRow;
    }),
  );
}

function runningKeys(pages: readonly ReadonlyMap<number, readonly string[]>[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const keys of pages) {
    for (const key of new Set([...keys.values()].flat())) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(MIN_PAGES, MIN_FRACTION * pages.filter(({ size }) => size > 0).length);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}

/** For each line at the edge of a page, the keys that would match it on other pages. */
function edgeKeys(lines: readonly PrintedLine[], page: number): ReadonlyMap<number, readonly string[]> {
  const keys = new Map<number, string[]>();
  const add = (position: number, edge: 'top' | 'bottom') => {
    const forms = pageForms(lines[position]?.text ?? '', page).map((form) => `${edge} ${form}`);
    keys.set(position, [...(keys.get(position) ?? []), ...forms]);
  };
  const { top, bottom } = edgeSizes(lines);
  for (let line = 0; line < top; line += 1) add(line, 'top');
  for (let line = lines.length - bottom; line < lines.length; line += 1) add(line, 'bottom');
  return keys;
}

/** How many lines are separated from the body by a gap; just the outermost if there are none or too many. */
function edgeSizes(lines: readonly PrintedLine[]): { readonly top: number; readonly bottom: number } {
  const first = lines.findIndex(({ hasGapAbove }, position) => position > 0 && hasGapAbove);
  const last = lines.findLastIndex(({ hasGapAbove }, position) => position > 0 && hasGapAbove);
  const least = Math.min(1, lines.length);
  const size = (count: number) => (count <= EDGE_LINES ? count : least);
  return {
    top: first === -1 ? least : size(first),
    bottom: last === -1 ? least : size(lines.length - last),
  };
}

/** The line itself, and with each number replaced by its offset from the page number, which is constant for page numbers. */
function pageForms(text: string, page: number): readonly string[] {
  const line = singleSpaced(text.slice(0, MAX_COMPARED_CHARACTERS)).toLowerCase();
  const numbers = [...line.matchAll(/(?<![\d.,])\d{1,5}(?![\d.,]*\d)/g)].slice(0, MAX_NUMBERS);
  const forms = numbers.map(({ 0: number, index }) => {
    const distance = `{${Number(number) - page}}`;
    return line.slice(0, index) + distance + line.slice(index + number.length);
  });
  return [line, ...forms];
}
