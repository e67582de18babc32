import { findDates } from './find-dates.ts';
import { findNumbers } from './find-numbers.ts';
import { type Span, spansAt } from './find-spans.ts';
import { type FoundValue, overlaps } from './found-value.ts';
import { findPlaces, type Place } from './places.ts';
import { plainLetters } from './plain-letters.ts';
import type { SourceFile, SourceText } from './source-text.ts';

/** What was found in a file, before any field is looked at. */
export interface Evidence {
  readonly file: SourceFile;
  readonly source: SourceText;
  /** The places whose words are looked at for one text field; a page has some three hundred. */
  readonly mostPlaces: number;
  /** The text letter by letter without accents, in which enumerations are looked for. */
  readonly plainText: string;
  readonly places: readonly Place[];
  /** The runs of words that begin at a place, made once for all fields. */
  readonly spansAt: (place: Place) => readonly Span[];
  readonly dates: readonly FoundValue<string>[];
  /** The numbers that are no part of a date. */
  readonly numbers: readonly FoundValue<number>[];
}

const MAX_PLACES = 400;

/** Finds in each file what values may be made of. The places that are looked at are shared by all files, as they have them. */
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
