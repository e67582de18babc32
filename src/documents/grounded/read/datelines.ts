import { findDates } from '../../values/find-dates.ts';
import { isAllLabel } from './find-spans.ts';
import { sharesColumns } from './near-labels.ts';
import { firstProse } from './prose.ts';
import type { Segment, SourceLine, SourceText } from './source-text.ts';

/** The place and date of a document: `Bilbao, a 14 de enero de 2025`. */
export interface Dateline {
  /** Offset of the date in its segment. */
  readonly date: number;
}

const PLACE =
  /^\p{Lu}[^\d,:;@()]{1,40}(?:\([^()\d]{1,20}\))?,\s*(?:(?:den|dem|le|a|li|lì|il|em|dnia|on|op)\s+)?$/u;
const WEEKDAY = /^(?:\p{L}{3,12},?\s)?$/u;
/** Below the middle and below prose a place and a date stand beside a signature. */
const UPPER_SHARE = 0.5;

/** Segments in the upper part of a text that are a place and a date, and nothing else; where there are none, the only date above the prose that stands by itself. */
export function findDatelines({ lines }: SourceText): ReadonlyMap<Segment, Dateline> {
  const prose = firstProse(lines);
  const upper = lines.slice(0, Math.max(Math.ceil(UPPER_SHARE * lines.length), prose));
  const found = new Map<Segment, Dateline>();
  for (const { segments } of upper) {
    for (const segment of segments) {
      const dateline = datelineOf(segment.text);
      if (dateline !== undefined) found.set(segment, dateline);
    }
  }
  const dates = lines.slice(0, Math.max(0, prose)).flatMap((_, index) => bareDate(lines, index));
  const [only, ...others] = dates;
  if (found.size === 0 && only !== undefined && others.length === 0) found.set(only.segment, only);
  return found;
}

/** A date that is all of a line, or stands at its end, without a label before or above it. */
function bareDate(lines: readonly SourceLine[], index: number): readonly (Dateline & { segment: Segment })[] {
  const { segments = [] } = lines[index] ?? {};
  const [segment, before] = [segments.at(-1), segments.at(-2)];
  const above = lines[index - 1]?.segments ?? [];
  if (
    segment === undefined ||
    above.some((other) => sharesColumns(other, segment)) ||
    (before !== undefined && isAllLabel(before.text))
  )
    return [];
  const [date, ...others] = findDates(segment.text);
  if (date === undefined || others.length > 0) return [];
  const isWhole = date.end === segment.text.length && WEEKDAY.test(segment.text.slice(0, date.start));
  return isWhole ? [{ segment, date: date.start }] : [];
}

function datelineOf(text: string): Dateline | undefined {
  const [date, ...others] = findDates(text);
  if (date === undefined || others.length > 0) return undefined;
  const isWhole = /^(?:\s*r)?\.?$/.test(text.slice(date.end));
  return isWhole && PLACE.test(text.slice(0, date.start)) ? { date: date.start } : undefined;
}
