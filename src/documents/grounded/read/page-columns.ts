import type { LinePart } from './source-text.ts';

/** Fewer lines with a bar are a table. */
const FEWEST_LINES = 8;
/** The least share of lines with nothing on one side of the bar: the rows of a table have both. */
const LEAST_OPEN = 0.2;

/** Lines in the order in which they are read: where a bar divides the page, what is left of it and then what is right of it. */
export function readingOrder(lines: readonly LinePart[]): readonly LinePart[] {
  const ordered: LinePart[] = [];
  for (let at = 0; at < lines.length; ) {
    const bar = barOf(lines[at]);
    const end = endOfRun(lines, at, bar);
    const run = lines.slice(at, end);
    if (bar > 0 && isDivided(run, bar)) ordered.push(...sides(run, bar));
    else ordered.push(...run);
    at = end;
  }
  return ordered;
}

/** The place of the only bar in a line; -1 if there is none or more than one. */
function barOf(line: LinePart | undefined): number {
  const bar = line?.text.indexOf('|') ?? -1;
  return bar === line?.text.lastIndexOf('|') ? bar : -1;
}

/** Where the lines end that have a bar in the same place. */
function endOfRun(lines: readonly LinePart[], at: number, bar: number): number {
  let end = at + 1;
  while (bar > 0 && end < lines.length && barOf(lines[end]) === bar) end++;
  return end;
}

/** Whether lines are columns of a page. */
function isDivided(run: readonly LinePart[], bar: number): boolean {
  const open = run.filter(
    ({ text }) => text.slice(0, bar).trim() === '' || text.slice(bar + 1).trim() === '',
  );
  return run.length >= FEWEST_LINES && open.length >= LEAST_OPEN * run.length;
}

function sides(run: readonly LinePart[], bar: number): readonly LinePart[] {
  return [...run.map((line) => partOf(line, 0, bar)), ...run.map((line) => partOf(line, bar + 1))];
}

function partOf({ text, start }: LinePart, from: number, to = text.length): LinePart {
  return { text: text.slice(from, to), start: start + from };
}
