import { type DocumentContext, readContext } from '../values/document-context.ts';
import { findDates } from '../values/find-dates.ts';
import { findNumbers } from '../values/find-numbers.ts';
import { type FoundValue, overlaps } from '../values/found-value.ts';
import { plainLetters } from '../values/plain-letters.ts';
import { type Span, spansAt } from './find-spans.ts';
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
  readonly dates: readonly FoundValue<string>[];
  /** Numbers that are not part of a date. */
  readonly numbers: readonly FoundValue<number>[];
}

const MAX_POSITIONS = 400;

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
    dates,
    numbers,
  };
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
