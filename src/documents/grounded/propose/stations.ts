import type { SourceLine, SourceText } from '../read/source-text.ts';
import { isOrganisation } from '../words/institutions.ts';
import { labelTokens } from '../words/label-words.ts';
import { type Period, periodIn, pointBefore, pointBehind } from './life-periods.ts';
import type { LineSlice, TextSlice } from './text-slice.ts';

/** A period and what is said of it, in order. */
export interface Station {
  readonly period: Period;
  readonly pieces: readonly LineSlice[];
}

/** Lines under a heading. */
export interface HeadedSection {
  /** The words of the heading. */
  readonly heading: readonly string[];
  readonly lines: readonly SourceLine[];
}

interface DatedLine {
  readonly line: SourceLine;
  readonly index: number;
  readonly period: Period;
}

const PART_ENDS = /,\s+|\s+[–—|·-]\s+|\s+@\s+|\s+(?:bei|at|chez|presso|bij)\s+(?=\p{Lu})/gu;
const BULLET = /^[-*•·–+]\s/;
/** Lines above a period that may do so, at the top of a block. */
const MOST_ABOVE = 3;
/** How long a station was: `6 years 2 months`. */
const DURATION = /^\d{1,2}\s\p{L}{2,12}\.?(?:,?\s(?:\p{L}{1,3}\s)?\d{1,2}\s\p{L}{2,12}\.?)?$/u;
/** A heading in capitals needs no known word. */
const CAPITALS = /^[^\p{Ll}\d]*\p{Lu}{3}[^\p{Ll}\d]*$/u;
/** Lines below a period that may name its position and employer; more is a description. */
const MOST_LINES = 2;
const MOST_WORDS = 9;
const MOST_HEADING_WORDS = 4;

/** The text below each line that heads something: it stands alone, is short, and an empty line or nothing is above it. */
export function sectionsOf({ lines }: SourceText): readonly HeadedSection[] {
  const heads = lines.flatMap((line, index) => (isHead(lines, index) ? [{ line, index }] : []));
  return heads.map(({ line, index }, order) => ({
    heading: labelTokens(line.text),
    lines: lines.slice(index + 1, heads[order + 1]?.index ?? lines.length),
  }));
}

function isHead(lines: readonly SourceLine[], index: number): boolean {
  const [only, ...others] = lines[index]?.segments ?? [];
  if (only === undefined || others.length > 0 || (lines[index - 1]?.segments.length ?? 0) > 0) return false;
  const tokens = labelTokens(only.text);
  const isName =
    isOrganisation(only.text) &&
    !tokens.includes('=education') &&
    (lines[index + 1]?.segments.length ?? 0) > 0;
  const isShort =
    !isName && !/\d|[.,;]$/.test(only.text) && only.text.split(/\s+/).length <= MOST_HEADING_WORDS;
  const isApart = CAPITALS.test(only.text) || (lines[index + 1]?.segments.length ?? 0) === 0;
  return isShort && (isApart || tokens.some((token) => token.startsWith('=')));
}

/** The stations of a section: lines with a period, or a point in time if there are none, and what stands beside and below. */
export function stationsOf(lines: readonly SourceLine[]): readonly Station[] {
  const dated = datedLines(lines);
  let opening: LineSlice | undefined;
  return dated.map(({ line, index, period }, order) => {
    const beside = piecesOf(line, period, 0);
    const above = beside.length < 2 ? titlesAbove(lines, index, beside.length === 0 ? MOST_ABOVE : 1) : [];
    const next = dated[order + 1]?.index ?? lines.length;
    const below = linesBelow(lines.slice(index + 1, next), period).flatMap((one, at) =>
      piecesOf(one, period, at + 1),
    );
    // Several positions at one place: it stands above the first only.
    const isFurther = beside.length === 0 && above.length === 1 && opening !== undefined;
    opening = isFurther ? opening : beside.length === 0 && above.length > 1 ? above[0] : undefined;
    const named = isFurther && opening !== undefined ? [opening, ...above] : above;
    return { period, pieces: [...named, ...beside, ...below] };
  });
}

function datedLines(lines: readonly SourceLine[]): readonly DatedLine[] {
  for (const find of [periodIn, pointBefore, pointBehind]) {
    const found = lines.flatMap((line, index) => {
      const period = find(line, lines[index + 1]);
      return period === undefined ? [] : [{ line, index, period }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** The lines above a period, if they begin a block: one beside a text, else all. */
function titlesAbove(lines: readonly SourceLine[], index: number, most: number): readonly LineSlice[] {
  let top = index;
  while (top > index - most && (lines[top - 1]?.segments.length ?? 0) > 0) top--;
  const above = lines.slice(top, index).filter(({ text }) => !DURATION.test(text.trim()));
  const isTop = (lines[top - 1]?.segments.length ?? 0) === 0;
  const areTitles = above.every(
    (line) => line.segments.length === 1 && periodIn(line) === undefined && isTitle(line.text),
  );
  if (!isTop || !areTitles) return [];
  return above.flatMap((line, at) => piecesOf(line, undefined, at - above.length));
}

function linesBelow(lines: readonly SourceLine[], period: Period): readonly SourceLine[] {
  const end = lines.findIndex((line) => line.segments.length === 0 || !isTitle(restOf(line, period)));
  return lines.slice(0, Math.min(MOST_LINES, end < 0 ? lines.length : end));
}

/** The rest of a line, behind the part of a period that it begins with. */
function restOf({ text, start }: SourceLine, { pieces }: Period): string {
  const own = pieces.find((piece) => start <= piece.start && piece.end <= start + text.length);
  return own === undefined ? text : text.slice(own.end - start);
}

/** Neither a description nor a label. */
function isTitle(text: string): boolean {
  const said = text.trim();
  return (
    !BULLET.test(said) &&
    !/:(?:\s|$)|[.;]$/.test(said) &&
    said.split(/\s+/).length <= MOST_WORDS &&
    /^\p{Lu}/u.test(said)
  );
}

/** The parts of a line beside its period. */
function piecesOf(
  { text, start }: SourceLine,
  period: Period | undefined,
  line: number,
): readonly LineSlice[] {
  const own = period?.pieces.find((piece) => start <= piece.start && piece.end <= start + text.length);
  const [from, to] = own === undefined ? [0, 0] : [own.start - start, own.end - start];
  return [
    { text: text.slice(0, from), start },
    { text: text.slice(to), start: start + to },
  ].flatMap((side) => cut(side).map((piece) => ({ ...piece, line })));
}

function cut({ text, start }: Pick<TextSlice, 'text' | 'start'>): readonly TextSlice[] {
  const ends = [...text.matchAll(/\s{2,}|\||\t/g), ...text.matchAll(PART_ENDS)].toSorted(
    (one, other) => one.index - other.index,
  );
  const froms = [0, ...ends.map(({ index, 0: mark }) => index + mark.length)];
  const tos = [...ends.map(({ index }) => index), text.length];
  return froms.flatMap((from, order) => {
    const said = text.slice(from, Math.max(from, tos[order] ?? from));
    const bare = said.replace(/^[\s(),:;|–-]+|[\s(),:;|–-]+$/gu, '');
    const at = start + from + said.indexOf(bare);
    return /\p{L}{2}/u.test(bare) && !DURATION.test(bare)
      ? [{ text: bare, start: at, end: at + bare.length }]
      : [];
  });
}
