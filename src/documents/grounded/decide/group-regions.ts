import type { Segment, SourceLine } from '../read/source-text.ts';
import { type FieldGroup, headingFit } from './field-groups.ts';

/** Where the values of a group stand: below its heading, and beside those of other groups. */
export interface GroupRegion {
  readonly group: FieldGroup;
  readonly fromLine: number;
  /** The first line that is not part of it. */
  readonly endLine: number;
  readonly fromColumn: number;
  readonly endColumn: number;
}

const LEAST_FIT = 0.6;
const MOST_WORDS = 5;
const MOST_LINES = 30;
/** How far left of its heading a column may begin. */
const MOST_SHIFT = 8;
/** A letter or a number stands so far behind the word that it marks. */
const MARK_GAP = 4;
const NUMBERED = /^\d{1,2}[.)]?\s+/;

interface Heading {
  readonly group: FieldGroup;
  readonly line: number;
  readonly column: number;
}

/** The regions of a text that have a heading of a group of their own. */
export function groupRegions(
  lines: readonly SourceLine[],
  groups: readonly FieldGroup[],
): readonly GroupRegion[] {
  const headings = lines.flatMap((_, line) => headingsIn(lines, line, groups));
  return headings.flatMap((heading) => regionBelow(lines, heading, headings) ?? []);
}

/** The headings of a line, which has nothing else. */
function headingsIn(
  lines: readonly SourceLine[],
  line: number,
  groups: readonly FieldGroup[],
): readonly Heading[] {
  const parts = withMarks(lines[line]?.segments ?? []);
  const found = parts.map(({ text, column }) => {
    const group = bestGroup(text, groups);
    return group && { group, line, column };
  });
  const isAlone = found.length > 0 && parts.every(({ text }) => !/:\s*\S/.test(text));
  return isAlone && found.every((heading) => heading !== undefined) ? found : [];
}

/** Segments with the letter or number that stands a little behind them: `VEHICLE  A`. */
function withMarks(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const before = joined.at(-1);
    const gap = before === undefined ? MARK_GAP : segment.column - before.column - before.text.length;
    if (before !== undefined && gap < MARK_GAP && /^(?:\p{L}|\d{1,2})$/u.test(segment.text))
      joined.splice(-1, 1, { ...before, text: `${before.text} ${segment.text}` });
    else joined.push(segment);
  }
  return joined;
}

function bestGroup(text: string, groups: readonly FieldGroup[]): FieldGroup | undefined {
  const said = text.replace(NUMBERED, '').replace(/:$/, '').trim();
  if (said.split(/\s+/).length > MOST_WORDS || /\d{3}|[@,;]/.test(said)) return undefined;
  const rated = groups
    .map((group) => ({ group, fit: headingFit(group, said) }))
    .toSorted((one, other) => other.fit - one.fit);
  const [best, next] = rated;
  if (best === undefined || best.fit < LEAST_FIT || best.fit === next?.fit) return undefined;
  return best.group;
}

function regionBelow(
  lines: readonly SourceLine[],
  { group, line, column }: Heading,
  headings: readonly Heading[],
): GroupRegion | undefined {
  const beside = headings.filter((other) => other.line === line);
  const next = beside.find((other) => other.column > column);
  const isFirst = !beside.some((other) => other.column < column);
  const fromColumn = isFirst ? 0 : column - MOST_SHIFT;
  const endColumn = next === undefined ? Number.POSITIVE_INFINITY : next.column - MOST_SHIFT;
  const first = lines.findIndex(({ segments }, at) => at > line && segments.length > 0);
  if (first < 0 || first > line + 2) return undefined;
  const endLine = endOf(
    lines,
    { line, first, column: isFirst ? column : 0, isColumns: beside.length > 1 },
    headings,
  );
  return endLine <= first ? undefined : { group, fromLine: first, endLine, fromColumn, endColumn };
}

interface Opening {
  readonly line: number;
  /** The first line with something below the heading. */
  readonly first: number;
  readonly column: number;
  readonly isColumns: boolean;
}

/** Where a section ends: at another heading, at an empty line, or, where its lines are moved to the right, at one that is not. */
function endOf(
  lines: readonly SourceLine[],
  { line, first, column, isColumns }: Opening,
  headings: readonly Heading[],
): number {
  const isIndented = !isColumns && (lines[first]?.segments[0]?.column ?? 0) > column;
  const isEnd = (at: number) => {
    const { segments = [] } = lines[at] ?? {};
    if (at >= lines.length || headings.some((other) => other.line === at)) return true;
    return isIndented ? (segments[0]?.column ?? column + 1) <= column : segments.length === 0;
  };
  let at = first;
  while (at < line + MOST_LINES && !isEnd(at)) at++;
  return at;
}
