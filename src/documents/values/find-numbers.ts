import { CURRENCY_MARKS } from './currency-codes.ts';
import { type DecimalSign, decimalSignOf } from './decimal-sign.ts';
import type { FoundValue } from './found-value.ts';
import { parseNumber } from './parse-number.ts';

const GROUPED = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)`;
const PLAIN = String.raw`\d[\d.,'’]*\d|\d`;
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\d_./,#-]|\d:)([-−–]\s?(?=${CURRENCY_MARKS}))?(?:${CURRENCY_MARKS}\s?)?([-−–]?(?:${GROUPED}|${PLAIN}))(?![\d_/]|-(?!\s|$))`,
  'gu',
);
// "4x40" and "M12" are names; "12kg" and "20%" are numbers.
const UNIT_AFTER =
  /^(?:kg|g|mg|km|m|cm|mm|l|ml|kwh|h|x|eur|usd|gbp|chf|pln|myr|zł|kr|st|stk|szt|pcs|pz|uds?|un)(?![\p{L}\d])/iu;

/** The numbers of a text, in order. */
export function findNumbers(
  text: string,
  decimalSign: DecimalSign | undefined = decimalSignOf(text),
): readonly FoundValue<number>[] {
  return Array.from(text.matchAll(NUMBER)).flatMap((match) => {
    const [, minus, written = ''] = match;
    const value = parseNumber(written, decimalSign);
    const start = match.index + match[0].length - written.length;
    const end = start + written.length;
    const after = text.slice(end, end + 6);
    if (value === undefined || (/^\p{L}/u.test(after) && !UNIT_AFTER.test(after))) return [];
    if (/^[:.]\d/.test(after)) return [];
    const isNegative = minus !== undefined || isNegated(text, { start, end });
    return [{ value: isNegative ? -Math.abs(value) : value, start, end }];
  });
}

/** Accounts write a negative amount as (12.00) or 12.00-. */
function isNegated(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const [before, written, after] = [
    text.slice(Math.max(0, start - 4), start),
    text.slice(start, end),
    text.slice(end, end + 4),
  ];
  if (!/[.,]\d{2}$/.test(written) || /^[-−–]/.test(written)) return false;
  return /^-(?:\s|$)/.test(after) || (/\((?:\p{Sc}\s?)?$/u.test(before) && /^\s?\p{Sc}?\)/u.test(after));
}
