import { findDates } from '../../values/find-dates.ts';
import { firstProse } from './prose.ts';
import type { Segment, SourceText } from './source-text.ts';

/** The place and date of a document: `Bilbao, a 14 de enero de 2025`. */
export interface Dateline {
  /** Offset of the date in its segment. */
  readonly date: number;
}

const PLACE =
  /^\p{Lu}[^\d,:;@()]{1,40}(?:\([^()\d]{1,20}\))?,\s*(?:(?:den|dem|le|a|li|lì|il|em|dnia|on|op)\s+)?$/u;
/** Below the middle and below prose a place and a date stand beside a signature. */
const UPPER_SHARE = 0.5;

/** Segments in the upper part of a text that are a place and a date, and nothing else. */
export function findDatelines({ lines }: SourceText): ReadonlyMap<Segment, Dateline> {
  const upper = lines.slice(0, Math.max(Math.ceil(UPPER_SHARE * lines.length), firstProse(lines)));
  const found = new Map<Segment, Dateline>();
  for (const { segments } of upper) {
    for (const segment of segments) {
      const dateline = datelineOf(segment.text);
      if (dateline !== undefined) found.set(segment, dateline);
    }
  }
  return found;
}

function datelineOf(text: string): Dateline | undefined {
  const [date, ...others] = findDates(text);
  if (date === undefined || others.length > 0) return undefined;
  const isWhole = /^(?:\s*r)?\.?$/.test(text.slice(date.end));
  return isWhole && PLACE.test(text.slice(0, date.start)) ? { date: date.start } : undefined;
}
