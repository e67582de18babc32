import { isAllLabel } from '../read/find-spans.ts';
import { isNothing } from '../read/nothing-words.ts';
import type { SourceLine, SourceText } from '../read/source-text.ts';
import { type FieldWords, labelTokens, similarity } from '../words/label-words.ts';
import { isItem } from './text-parts.ts';
import type { LineSlice } from './text-slice.ts';

/** Text that a label names, piece by piece. */
export interface LabelledText {
  readonly pieces: readonly LineSlice[];
  /** How well the label names it. */
  readonly fit: number;
}

const [LEAST_SIMILARITY, LEAST_ABOVE_ITEMS] = [0.5, 0.35];
const MAX_LINES = 40;
/** Of two columns the first may be labels. */
const FEWEST_COLUMNS = 3;
/** Lines that a text goes on for, each with a comma at the end of the one before. */
const MOST_CONTINUED = 8;
/** A line that is a label begins something else. */
const ENDING_LABEL = /^\p{L}[^:\d]{1,40}:$/u;
const OWN_LABEL = /^\p{L}[^:\d]{1,40}:(?:\s|$)/u;
const SHORT_LINE = /^\s*(?:[^\s\d:,]+\s?){1,3}$/;
const BULLET = /^([-*•·–])\s/;
/** The number of a section or a step before its title: `5. `, `Step 4 of 4: `. */
const NUMBERED = /^(?:\p{L}+\s)?\d{1,2}(?:\s\p{L}+\s\d{1,2})?[.:)]\s+(?=\p{L}[^:]*$)/u;

/** The text behind or below the label that names something best; undefined if none does. */
export function labelledText(words: FieldWords, { lines }: SourceText): LabelledText | undefined {
  let best: LabelledText | undefined;
  for (const [index, line] of lines.entries()) {
    for (const [order, { text }] of line.segments.entries()) {
      const title = text.replace(NUMBERED, '');
      const [, label = title] = /^([^:]{1,60}):\s*/.exec(title) ?? [];
      const fit = similarity(labelTokens(label), words);
      if (fit < leastFor(lines, index, text) || (best !== undefined && fit <= best.fit)) continue;
      const behind = textBehind(lines, index, order);
      const column = columnBelow(lines, index, order);
      const beside = behind.length > 0 || order > 0 ? behind : linesBelow(lines, index);
      const pieces = column.length > 0 ? column : beside;
      if (pieces.length > 0) best = { pieces, fit };
    }
  }
  return best;
}

/** How well a label must fit: a line with a colon above items is surely one, and so are a bulleted label before commas and a title above short lines. */
function leastFor(lines: readonly SourceLine[], index: number, text: string): number {
  const below = lines[index + 1]?.segments[0]?.text ?? '';
  const isAboveItems = text.endsWith(':') && isItem(below);
  const isBulleted = /^[-*•·–]\s[^:]{1,40}:\s[^:]+,\s/.test(text);
  return isAboveItems || isBulleted || headsShortLines(lines, index) ? LEAST_ABOVE_ITEMS : LEAST_SIMILARITY;
}

/** Whether a line opens a block of two or more others that have few words and no figures or labels. */
function headsShortLines(lines: readonly SourceLine[], index: number): boolean {
  if ((lines[index - 1]?.segments.length ?? 0) > 0 || lines[index]?.segments.length !== 1) return false;
  const below = lines.slice(index + 1, index + 1 + MAX_LINES);
  const end = below.findIndex(({ segments }) => segments.length === 0);
  const block = below.slice(0, end < 0 ? below.length : end);
  return block.length > 1 && block.every(({ text }) => SHORT_LINE.test(text));
}

/** The text behind a label in its line, and below as long as lines end with a comma. */
function textBehind(lines: readonly SourceLine[], index: number, order: number): readonly LineSlice[] {
  const { segments = [], start = 0 } = lines[index] ?? {};
  const [own, ...others] = segments.slice(order);
  if (own === undefined) return [];
  const value = NUMBERED.test(own.text) ? '' : (/^[^:]{1,60}:\s*(.*)$/.exec(own.text)?.[1] ?? '');
  const end = others.findIndex(({ text }, at) => isNextLabel(text, at < others.length - 1));
  const said = others
    .slice(0, end < 0 ? others.length : end)
    .map(({ text, column }) => pieceAt(text, { start: start + column, line: index }))
    .map(withoutColon);
  const rest =
    value === ''
      ? said
      : [
          pieceAt(value, { start: start + own.column + own.text.length - value.length, line: index }),
          ...said,
        ];
  return [...rest, ...continued(lines, index, rest)];
}

/** A value without the colon before it that stands apart from its label. */
function withoutColon(piece: LineSlice): LineSlice {
  const text = piece.text.replace(/^:\s+/, '');
  return { ...piece, text, start: piece.end - text.length };
}

/** Whether a text begins what another label names. */
function isNextLabel(text: string, hasMore: boolean): boolean {
  return OWN_LABEL.test(text) || (hasMore && isAllLabel(text));
}

function continued(
  lines: readonly SourceLine[],
  index: number,
  rest: readonly LineSlice[],
): readonly LineSlice[] {
  const found: LineSlice[] = [];
  let last = rest.at(-1);
  for (let line = index + 1; line <= index + MOST_CONTINUED; line++) {
    const [only, ...others] = lines[line]?.segments ?? [];
    const goesOn = last !== undefined && /[,;]$/.test(last.text);
    if (!goesOn || only === undefined || others.length > 0 || OWN_LABEL.test(only.text)) break;
    last = pieceAt(only.text, { start: (lines[line]?.start ?? 0) + only.column, line });
    found.push(last);
  }
  return found;
}

/** The column of cells under a title that has others beside it; empty if the line below has other columns. */
function columnBelow(lines: readonly SourceLine[], index: number, order: number): readonly LineSlice[] {
  const titles = lines[index]?.segments ?? [];
  const title = titles[order];
  if (title === undefined || titles.length < FEWEST_COLUMNS || title.text.includes(':')) return [];
  const isAligned = ({ segments }: SourceLine) =>
    segments.length > 1 && segments.every(({ column }) => titles.some((other) => other.column === column));
  const below = lines.slice(index + 1, index + 1 + MAX_LINES);
  const [first] = below;
  if (first === undefined || !isAligned(first)) return [];
  const end = below.findIndex((line) => !line.segments.some(({ column }) => column === title.column));
  return below
    .slice(0, end < 0 ? below.length : end)
    .flatMap(({ segments, start }, at) =>
      segments
        .filter(({ column }) => column === title.column)
        .map(({ text, column }) => pieceAt(text, { start: start + column, line: index + 1 + at })),
    );
}

function linesBelow(lines: readonly SourceLine[], index: number): readonly LineSlice[] {
  const below = lines.slice(index + 1, index + 1 + MAX_LINES);
  const opens = below.findIndex(({ segments }) => segments.length > 0);
  if (opens < 0 || opens > 1) return [];
  const blank = below.findIndex(({ segments }, at) => {
    return at > opens && segments.length === 0 && !goesOn(below, at);
  });
  const label = below.findIndex(({ text }, at) => at > opens && ENDING_LABEL.test(text.trim()));
  const denied = below.findIndex(
    ({ text }, at) => at > opens && isNothing(below[at + 1]?.text.trim() ?? 'x') && isAllLabel(text),
  );
  const ends = [blank, label, denied].filter((at) => at >= 0);
  const block = below.slice(opens, Math.min(below.length, ...ends));
  const mark = markOf(block);
  return block.flatMap(({ segments: all, start }, at) => {
    const segments = all[0]?.text === mark ? all.slice(1) : all;
    const [first, ...others] = segments;
    // A line with a label of its own has what stands behind it, or is of another kind.
    if (first !== undefined && /^[^:]{1,40}:$/.test(first.text) && isAllLabel(first.text)) return [];
    const own = others.length > 0 && first?.text.endsWith(':') ? others : segments;
    return own.map(({ text, column }) =>
      pieceAt(text, { start: start + column, line: index + 1 + opens + at }),
    );
  });
}

/** The letter or sign that stands before all lines in place of a bullet, apart from them. */
function markOf([first, ...others]: readonly SourceLine[]): string | undefined {
  const mark = first?.segments[0]?.text;
  if (mark === undefined || [...mark].length > 1 || others.length === 0) return undefined;
  const isMarked = others.every(({ segments }) => segments[0]?.text === mark && segments.length > 1);
  return isMarked ? mark : undefined;
}

/** Whether a list goes on after an empty line: with a bullet as before, or, where each item stands alone, with another such line. */
function goesOn(lines: readonly SourceLine[], empty: number): boolean {
  const [before, next] = [lines[empty - 1]?.text.trim() ?? '', lines[empty + 1]?.text.trim() ?? ''];
  if (next === '') return false;
  const [, bullet] = BULLET.exec(before) ?? [];
  if (bullet !== undefined) return BULLET.exec(next)?.[1] === bullet;
  const isAlone = (at: number) =>
    (lines[at - 1]?.segments.length ?? 0) + (lines[at + 1]?.segments.length ?? 0) === 0;
  if (empty > 1 && !isAlone(empty - 1)) return false;
  const isHeading = labelTokens(next).some((token) => token.startsWith('='));
  return isAlone(empty + 1) && !isHeading && /^[^:]{1,40}[^:.]$/.test(next);
}

function pieceAt(text: string, { start, line }: Pick<LineSlice, 'start' | 'line'>): LineSlice {
  return { text, start, end: start + text.length, line };
}
