import { findDates } from './find-dates.ts';
import { findNumbers } from './find-numbers.ts';
import { type Span, spansAt } from './find-spans.ts';
import { type FoundValue, overlaps } from './found-value.ts';
import { findPlaces, type Place } from './places.ts';
import { plainLetters } from './plain-letters.ts';
import type { SourceText } from './source-text.ts';

/** What was found in the documents, before any field is looked at. */
export interface Evidence {
  readonly source: SourceText;
  /** The text letter by letter without accents, in which enumerations are looked for. */
  readonly plainText: string;
  readonly places: readonly Place[];
  /** The runs of words that begin at a place, made once for all fields. */
  readonly spansAt: (place: Place) => readonly Span[];
  readonly dates: readonly FoundValue<string>[];
  /** The numbers that are no part of a date. */
  readonly numbers: readonly FoundValue<number>[];
}

/** Finds in a text what values may be made of. */
export function readEvidence(source: SourceText): Evidence {
  const dates = findDates(source.text);
  const numbers = findNumbers(source.text).filter((number) => !within(number, dates));
  const spans = new Map<Place, readonly Span[]>();
  const knownSpans = (place: Place) => {
    const known = spans.get(place) ?? spansAt(place);
    spans.set(place, known);
    return known;
  };
  const plainText = plainLetters(source.text);
  return { source, plainText, places: findPlaces(source), spansAt: knownSpans, dates, numbers };
}

/** The place of the word that a position in the text belongs to. */
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
