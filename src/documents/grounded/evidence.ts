import { findDates } from './find-dates.ts';
import { findNumbers } from './find-numbers.ts';
import { type Span, spansAt } from './find-spans.ts';
import { type FoundValue, overlaps } from './found-value.ts';
import { findPlaces, type Place } from './places.ts';
import { plainLetters } from './plain-letters.ts';
import type { SourceFile, SourceText } from './source-text.ts';

/** Everything found in a file before looking at fields. */
export interface Evidence {
  readonly file: SourceFile;
  readonly source: SourceText;
  /** Positions examined per text field; a page has about three hundred. */
  readonly mostPlaces: number;
  /** Without accents, same offsets; enumerations are searched here. */
  readonly plainText: string;
  readonly places: readonly Place[];
  /** Word runs starting at a position, cached for all fields. */
  readonly spansAt: (place: Place) => readonly Span[];
  readonly dates: readonly FoundValue<string>[];
  /** Numbers that are not part of a date. */
  readonly numbers: readonly FoundValue<number>[];
}

const MAX_PLACES = 400;

/** Collects evidence from each file. The budget of positions is split among the files by size. */
export function readEvidence(files: readonly SourceFile[]): readonly Evidence[] {
  const found = files.map((file) => ({ file, source: file.source, ...evidenceOf(file.source) }));
  const all = found.reduce((sum, { places }) => sum + places.length, 0);
  return found.map((evidence) => ({
    ...evidence,
    mostPlaces: Math.ceil((MAX_PLACES * evidence.places.length) / Math.max(1, all)),
  }));
}

function evidenceOf(source: SourceText): Omit<Evidence, 'file' | 'source' | 'mostPlaces'> {
  const dates = findDates(source.text);
  const numbers = findNumbers(source.text).filter((number) => !within(number, dates));
  const spans = new Map<Place, readonly Span[]>();
  const knownSpans = (place: Place) => {
    const known = spans.get(place) ?? spansAt(place);
    spans.set(place, known);
    return known;
  };
  const plainText = plainLetters(source.text);
  return { plainText, places: findPlaces(source), spansAt: knownSpans, dates, numbers };
}

/** The position of the word at this offset. */
export function placeAt({ places }: Pick<Evidence, 'places'>, position: number): Place | undefined {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((places[middle]?.start ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  const found = places[low];
  return found !== undefined && found.start <= position ? found : undefined;
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
