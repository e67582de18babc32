import { type FoundValue, overlaps } from './found-value.ts';
import { monthOf } from './month-names.ts';

interface DateParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
}

const YEAR_FIRST = /(?<![\d.,-])(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?![\d-])/g;
const DIGITS = /(?<![\d.,/-])(?<one>\d{1,2})([-/.])(?<two>\d{1,2})\2(?<year>\d{4}|\d{2})(?![\d.,/-]\d|\d)/g;
const DAY_FIRST =
  /(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?\s+(?:of\s+|de\s+)?(?<month>\p{L}{3,12})\.?,?\s+(?:de\s+|del\s+)?(?<year>\d{4})(?!\d)/gu;
const MONTH_FIRST =
  /(?<!\p{L})(?<month>\p{L}{3,12})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})(?!\d)/gu;

/** The dates of a text as YYYY-MM-DD, in order. */
export function findDates(text: string): readonly FoundValue<string>[] {
  const isMonthFirst = writesMonthFirst(text);
  const found = [
    ...datesBy(YEAR_FIRST, text, (parts) => parts),
    ...datesBy(DIGITS, text, ({ one, two, year }) =>
      isMonthFirst ? { year, month: one, day: two } : { year, month: two, day: one },
    ),
    ...datesBy(DAY_FIRST, text, (parts) => parts),
    ...datesBy(MONTH_FIRST, text, (parts) => parts),
  ].sort((one, other) => one.start - other.start);
  return found.filter((date, index) => !found.slice(0, index).some((earlier) => overlaps(earlier, date)));
}

/** 03/11/2024 is day first, unless another date can only be read month first. */
function writesMonthFirst(text: string): boolean {
  const dates = Array.from(text.matchAll(DIGITS), ({ groups }) => groups ?? {});
  return (
    dates.some(({ one, two }) => Number(two) > 12 && Number(one) <= 12) &&
    !dates.some(({ one }) => Number(one) > 12)
  );
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
    const value = isoDate({ year, month, day });
    return value === undefined ? [] : [{ value, start: match.index, end: match.index + match[0].length }];
  });
}

function isoDate({ year, month, day }: DateParts): string | undefined {
  const monthNumber = /^\d+$/.test(month) ? Number(month) : monthOf(month);
  const dayNumber = Number(day);
  if (monthNumber === undefined || monthNumber < 1 || monthNumber > 12) return undefined;
  if (dayNumber < 1 || dayNumber > daysIn(Number(year), monthNumber)) return undefined;
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
