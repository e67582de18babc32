import { type DateOrder, dateOrderOf } from './date-order.ts';
import type { FoundValue } from './found-value.ts';
import { monthOf } from './month-names.ts';

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const YEAR_FIRST =
  /(?<![\d.,-])(?<year>\d{4})(?:[-/]|\.\s?)(?<month>\d{1,2})(?:[-/]|\.\s?)(?<day>\d{1,2})(?![\d-])/g;
const DIGITS =
  /(?<![\d.,/-])(?<one>\d{1,2})(?<sign>[-/]|\.\s?|\s\/\s)(?<two>\d{1,2})\k<sign>(?<year>\d{4}|\d{2})(?![\d.,/-]\d|\d)/g;
// A year of two digits must not be the hour of a time.
const YEAR = String.raw`(?<year>\d{4}(?!\d)|['’]?\d{2}(?![\d:.,]))`;
const DAY_FIRST = new RegExp(
  String.raw`(?<![\d.,])(?<day>\d{1,2})(?:st|nd|rd|th|er|e|º|ª|°|\.)?(?:\s*[-/.]\s*|\s+)?(?:of\s+|de\s+|d[’'])?(?<month>\p{L}{3,12})\.?(?:\s*[-/,.]\s*|\s+)?(?:de\s+|del\s+|do\s+)?${YEAR}`,
  'gu',
);
const MONTH_FIRST =
  /(?<!\p{L})(?<month>\p{L}{3,12})\.?[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,\s*|\s+|-)(?<year>\d{4})(?!\d)/gu;

/** The dates of a text as YYYY-MM-DD, in order. The document's own order decides 03/04; a point is always after the day. */
export function findDates(text: string, order: DateOrder = dateOrderOf(text)): readonly FoundValue<string>[] {
  const found = [
    ...datesBy(YEAR_FIRST, text, (parts) => parts),
    ...datesBy(DIGITS, text, (parts) => ({ year: parts.year, ...dayAndMonth(parts, order) })),
    ...datesBy(DAY_FIRST, text, (parts) => parts),
    ...datesBy(MONTH_FIRST, text, (parts) => parts),
  ].sort((one, other) => one.start - other.start);
  let end = 0;
  return found.filter((date) => {
    const isFree = date.start >= end;
    end = Math.max(end, date.end);
    return isFree;
  });
}

function dayAndMonth(
  { one, two, sign }: Record<string, string | undefined>,
  order: DateOrder,
): Pick<Partial<Record<keyof DateParts, string | undefined>>, 'day' | 'month'> {
  const isMonthFirst = order === 'month-first' && sign?.startsWith('.') === false;
  const [day, month] = isMonthFirst ? [two, one] : [one, two];
  // A date that has only one reading is read that way, whatever the others are.
  return Number(month) > 12 && Number(day) <= 12 ? { day: month, month: day } : { day, month };
}

function datesBy(
  pattern: RegExp,
  text: string,
  partsOf: (
    groups: Record<string, string | undefined>,
  ) => Partial<Record<keyof DateParts, string | undefined>>,
): readonly FoundValue<string>[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const { year = '', month = '', day = '' } = partsOf(match.groups ?? {});
    const value = isoDate({ year: year.replace(/^['’]/, ''), month, day });
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + match[0].length }];
  });
}

function isoDate({ year, month, day }: DateParts): string | undefined {
  const monthNumber = /^\d+$/.test(month) ? Number(month) : monthOf(month);
  const dayNumber = Number(day);
  if (monthNumber === undefined || monthNumber < 1 || monthNumber > 12) return undefined;
  if (dayNumber < 1 || dayNumber > daysIn(Number(fullYear(year)), monthNumber)) return undefined;
  return `${fullYear(year)}-${twoDigits(monthNumber)}-${twoDigits(dayNumber)}`;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Two digits up to 69 are this century, the usual convention. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  return Number(year) < 70 ? `20${year}` : `19${year}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
