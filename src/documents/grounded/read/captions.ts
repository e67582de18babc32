import { labelTokens } from '../words/label-words.ts';
import type { Segment, SourceLine, SourceText } from './source-text.ts';

/** Labels that a form prints below the places for values, instead of before or above them. */
export interface Captions {
  /** The caption of each value. */
  readonly captionOf: ReadonlyMap<Segment, Segment>;
  /** The captions themselves, which are no values. */
  readonly captions: ReadonlySet<Segment>;
  /** The words of captions without a value. */
  readonly blanks: readonly (readonly string[])[];
}

/** A line to write on. */
const RULED = /_{3,}/;
/** The upper or lower edge of a row of boxes. */
const BOX_EDGE = /^\s*\+(?:-+\+){2,}\s*$/;
const BRACKETED = /^\([^()]{2,40}\)$/;
const MOST_WORDS = 5;
/** How far left of its caption a value may begin. */
const MOST_SHIFT = 3;

/** Finds captions: below a ruled line, in brackets below values, or in the same style as others of the form. */
export function findCaptions({ lines }: SourceText): Captions {
  const [captionOf, captions, blanks] = [new Map<Segment, Segment>(), new Set<Segment>(), [] as string[][]];
  const hasRuled = lines.some((_, index) => isRuledAbove(lines, index));
  for (const [index, { segments }] of lines.entries()) {
    const isCaptioned =
      isRuledAbove(lines, index) ||
      isBoxAbove(lines, index) ||
      isBracketed(lines, index) ||
      (hasRuled && isAlike(lines, index));
    if (!isCaptioned) continue;
    const values = valuesAbove(lines, index);
    for (const [order, caption] of segments.entries()) {
      const end = segments[order + 1]?.column ?? Number.POSITIVE_INFINITY;
      const own = values.filter(
        ({ column }) => column >= caption.column - MOST_SHIFT && column < end - MOST_SHIFT,
      );
      captions.add(caption);
      for (const value of own) captionOf.set(value, caption);
      if (own.length === 0) blanks.push([...labelTokens(caption.text)]);
    }
  }
  return { captionOf, captions, blanks };
}

function isRuledAbove(lines: readonly SourceLine[], index: number): boolean {
  const above = lines[index - 1]?.text ?? '';
  if (!RULED.test(above) || !areCaptions(lines, index)) return false;
  const rules = Array.from(above.matchAll(/_{3,}/g), (match) => match.index);
  const { segments = [] } = lines[index] ?? {};
  // Each place to write on has its caption below it, and none a label before it.
  return rules.every((rule) => segments.some(({ column }) => Math.abs(column - rule) <= MOST_SHIFT));
}

/** Whether the lower edge of a box of values stands above, outside of which nothing else is said than what they are. */
function isBoxAbove(lines: readonly SourceLine[], index: number): boolean {
  const [box, values] = [lines[index - 1]?.text ?? '', lines[index - 2]];
  const { text = '', segments = [] } = lines[index] ?? {};
  const isBox = BOX_EDGE.test(box) && BOX_EDGE.test(lines[index - 3]?.text ?? '');
  return (
    isBox && !text.includes('|') && values?.segments.length === segments.length && areCaptions(lines, index)
  );
}

function areCaptions(lines: readonly SourceLine[], index: number): boolean {
  const { segments = [] } = lines[index] ?? {};
  return (
    segments.length > 0 &&
    segments.every(({ text }) => !/:(?:\s|$)|\d{2}|_/.test(text) && text.split(/\s+/).length <= MOST_WORDS)
  );
}

function isBracketed(lines: readonly SourceLine[], index: number): boolean {
  const { segments = [] } = lines[index] ?? {};
  const above = lines[index - 1]?.segments.length ?? 0;
  return segments.length > 1 && above > 1 && segments.every(({ text }) => BRACKETED.test(text));
}

/** Whether a line of titles in capitals stands below as many values, and nothing below it. */
function isAlike(lines: readonly SourceLine[], index: number): boolean {
  const { segments = [] } = lines[index] ?? {};
  const above = lines[index - 1]?.segments ?? [];
  return (
    segments.length > 1 &&
    above.length === segments.length &&
    (lines[index + 1]?.segments.length ?? 0) === 0 &&
    segments.every(({ text, column }, order) => !/\p{Ll}|\d/u.test(text) && above[order]?.column === column)
  );
}

/** The values of the line above, or of the next one where that has only rules. */
function valuesAbove(lines: readonly SourceLine[], index: number): readonly Segment[] {
  const above = lines[index - 1];
  const isRule = above !== undefined && (above.segments.length === 0 || BOX_EDGE.test(above.text));
  return (isRule ? lines[index - 2] : above)?.segments ?? [];
}
