/** How a document writes a date of figures: 12/03 is a day in March, or the third of December. */
export type DateOrder = 'day-first' | 'month-first';

const FIGURES = /(?<![\d.,/-])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(?:\d{4}|\d{2})(?![\d.,/-]\d|\d)/g;
/** Marks of the United States, where the month stands first. */
const UNITED_STATES =
  /\b(?:[A-Z]{2} \d{5}(?:-\d{4})?|USA|U\.S\.A?\.?|United States|sales tax|zip(?: code)?|SSN|EIN)\b|\(\d{3}\) \d{3}-\d{4}/i;
/** Marks of other countries that write English and pay in dollars or quote US addresses. */
const ELSEWHERE = /\b(?:VAT|GST|ABN|IBAN|MwSt|TVA|IVA|BTW)\b|[€£]|\bRM\s?\d|\bUnited Kingdom\b/i;
const ENGLISH_MONTH_FIRST =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:st|nd|rd|th)?, \d{4}\b/i;

/** The order of the dates of a document: by a date that can only be read one way, else by the country that it is from. */
export function dateOrderOf(text: string): DateOrder {
  const dates = Array.from(text.matchAll(FIGURES), ([, one, , two]) => [Number(one), Number(two)] as const);
  const dayFirst = dates.filter(([one, two]) => one > 12 && two <= 12).length;
  const monthFirst = dates.filter(([one, two]) => two > 12 && one <= 12).length;
  if (dayFirst !== monthFirst) return monthFirst > dayFirst ? 'month-first' : 'day-first';
  if (dates.length === 0 || ELSEWHERE.test(text)) return 'day-first';
  return UNITED_STATES.test(text) || (ENGLISH_MONTH_FIRST.test(text) && text.includes('$'))
    ? 'month-first'
    : 'day-first';
}
