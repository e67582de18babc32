import { type DocumentContext, readContext } from '../../values/document-context.ts';
import { findDates } from '../../values/find-dates.ts';
import { findNumbers } from '../../values/find-numbers.ts';
import { type FoundValue, overlaps } from '../../values/found-value.ts';
import { plainLetters } from '../../values/plain-letters.ts';
import { labelTokens } from '../words/label-words.ts';
import { findCaptions } from './captions.ts';
import { type Span, spansAt } from './find-spans.ts';
import { isNothing } from './nothing-words.ts';
import { findPositions, type Position } from './positions.ts';
import type { SourceFile, SourceText } from './source-text.ts';

/** Everything found in a file before looking at fields. */
export interface Evidence {
  readonly file: SourceFile;
  readonly source: SourceText;
  /** The document's conventions. */
  readonly context: DocumentContext;
  /** Positions examined per text field; a page has about three hundred. */
  readonly mostPositions: number;
  /** Without accents, same offsets; enumerations are searched here. */
  readonly plainText: string;
  readonly positions: readonly Position[];
  /** Word runs starting at a position, cached for all fields. */
  readonly spansAt: (position: Position) => readonly Span[];
  /** The words of labels whose slot is empty. */
  readonly blanks: readonly (readonly string[])[];
  readonly dates: readonly FoundValue<string>[];
  /** Numbers that are not part of a date. */
  readonly numbers: readonly FoundValue<number>[];
}

const MAX_POSITIONS = 400;
const EMPTY_SLOT = /(?:^|\s{2,})(\p{L}[^._:]{0,40}?)[\s:]*(?:\.{4,}|_{3,})\s*(?=$|\s{2,})/gu;

/** Collects evidence from each file. The budget of positions is split among the files by size. */
export function readEvidence(files: readonly SourceFile[]): readonly Evidence[] {
  const found = files.map((file) => ({ file, source: file.source, ...evidenceOf(file.source) }));
  const all = found.reduce((sum, { positions }) => sum + positions.length, 0);
  return found.map((evidence) => ({
    ...evidence,
    mostPositions: Math.ceil((MAX_POSITIONS * evidence.positions.length) / Math.max(1, all)),
  }));
}

function evidenceOf(source: SourceText): Omit<Evidence, 'file' | 'source' | 'mostPositions'> {
  const dates = findDates(source.text);
  const numbers = findNumbers(source.text).filter((number) => !within(number, dates));
  const spans = new Map<Position, readonly Span[]>();
  const knownSpans = (position: Position) => {
    const known = spans.get(position) ?? spansAt(position);
    spans.set(position, known);
    return known;
  };
  const plainText = plainLetters(source.text);
  return {
    context: readContext(source.text),
    plainText,
    positions: findPositions(source),
    spansAt: knownSpans,
    blanks: [...emptySlots(source), ...findCaptions(source).blanks],
    dates,
    numbers,
  };
}

/** Labels before dots or a ruled line that nothing stands on, before a word for nothing, or before a colon at the end of a line with a label or nothing below. */
function emptySlots({ lines }: SourceText): readonly (readonly string[])[] {
  return lines.flatMap(({ text, segments }, index) => {
    const below = lines[index + 1]?.text ?? '';
    const isLast = below.trim() === '' || /^\s*[^:]{1,40}:\s/.test(below);
    const denied = segments.flatMap(({ text: said }, order) => deniedLabel(said, segments[order - 1]?.text));
    const labels = Array.from(text.matchAll(EMPTY_SLOT), ([, label = '']) => label);
    const last = isLast ? /(?:^|\s{2,})(\p{L}[^:]{0,40}):\s*$/u.exec(text)?.[1] : undefined;
    return [...labels, ...denied, ...(last === undefined ? [] : [last])].map(labelTokens);
  });
}

/** The label of a segment that says that there is nothing, or of the one before it. */
function deniedLabel(text: string, before: string | undefined): readonly string[] {
  const [, own, said] = /^([^:]{1,40}):\s+(\S.*)$/.exec(text) ?? [];
  if (own !== undefined && said !== undefined) return isNothing(said) ? [own] : [];
  return before !== undefined && isNothing(text) ? [before] : [];
}

/** The position of the word at this offset. */
export function positionAt({ positions }: Pick<Evidence, 'positions'>, offset: number): Position | undefined {
  let [low, high] = [0, positions.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((positions[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const found = positions[low];
  return found !== undefined && found.start <= offset ? found : undefined;
}

function within(number: FoundValue<number>, sorted: readonly FoundValue<string>[]): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.end ?? 0) <= number.start) low = middle + 1;
    else high = middle;
  }
  const next = sorted[low];
  return next !== undefined && overlaps(next, number);
}
