import type { FoundValue } from './found-value.ts';
import { parseNumber } from './parse-number.ts';

const GROUPED = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)`;
const PLAIN = String.raw`\d[\d.,']*\d|\d`;
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\d_./,#-]|\d:)(?:[$€£¥]\s?)?([-−–]?(?:${GROUPED}|${PLAIN}))(?![\d_/-])`,
  'gu',
);
// "4x40" and "M12" are names; "12kg" and "20%" are numbers.
const UNIT_AFTER = /^(?:kg|g|mg|km|m|cm|mm|l|ml|kwh|h|x|eur|usd|gbp|chf)\b/i;

/** The numbers of a text, in order. */
export function findNumbers(text: string): readonly FoundValue<number>[] {
  return Array.from(text.matchAll(NUMBER)).flatMap((match) => {
    const written = match[1] ?? '';
    const value = parseNumber(written);
    const start = match.index + match[0].length - written.length;
    const end = start + written.length;
    const after = text.slice(end, end + 5);
    if (value === undefined || (/^\p{L}/u.test(after) && !UNIT_AFTER.test(after))) return [];
    if (/^[:.]\d/.test(after)) return [];
    return [{ value, start, end }];
  });
}
