import { readBoolean } from './boolean-words.ts';
import { CURRENCY_MARKS, currencyIn } from './currency-codes.ts';
import type { DocumentContext } from './document-context.ts';
import { findDates } from './find-dates.ts';
import { findNumbers } from './find-numbers.ts';
import { joinLines } from './join-lines.ts';
import { parseNumber } from './parse-number.ts';
import { readChoice } from './read-choice.ts';

export type ValueKind = 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'date-time' | 'choice';

/** A leaf of a schema, as far as it says how a value is to be written. */
export interface ValueForm {
  readonly kind: ValueKind;
  /** Enumeration members, without null. */
  readonly choices: readonly unknown[];
  /** A text that is to be a currency code. */
  readonly isCurrency?: boolean;
}

/** Reads a printed text as the value that a leaf of the schema asks for; undefined if it is none. */
export function normalise(text: string, form: ValueForm, context: DocumentContext): unknown {
  const printed = joinLines(text);
  if (printed === '') return undefined;
  switch (form.kind) {
    case 'text':
      if (form.isCurrency !== true) return printed;
      // An amount alone is in the currency of its document.
      return currencyIn(printed, context.text) ?? context.currency ?? printed;
    case 'number':
      return readNumber(printed, context);
    case 'integer': {
      const value = readNumber(printed, context);
      return value !== undefined && Number.isInteger(value) ? value : undefined;
    }
    case 'date':
      return readDate(printed, context);
    case 'date-time':
      return readDateTime(printed, context);
    case 'boolean':
      return readBoolean(printed);
    case 'choice':
      return readChoice(printed, form.choices, context.text);
  }
}

const BEFORE = new RegExp(String.raw`^(?:${CURRENCY_MARKS}|[x×@])\s*`, 'iu');
const AFTER = new RegExp(String.raw`\s*(?:${CURRENCY_MARKS}|%|‰|[.,][-–—]{1,2}|\p{L}{1,4}\.?)$`, 'iu');
/** A minus apart from a figure that is no amount is a laboratory's mark for a low value. */
const NEGATIVE = /^[-−–]|\d[-−]$|[.,]\d{2}\s[-−]$/;
/** OCR puts a space beside the decimal sign. */
const LOOSE_DECIMALS = /(\d)\s?([.,])\s?(\d{2})$/;

/** One number with its sign, currency and unit; of several the first that looks like an amount. */
function readNumber(text: string, { decimalSign }: DocumentContext): number | undefined {
  const isNegative = /^\(.*\d.*\)$/.test(text) || NEGATIVE.test(text.replace(BEFORE, ''));
  const bare = text
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^([-−–]\s*)/, '')
    .replace(BEFORE, '')
    .replace(/^([-−–]\s*)/, '')
    .replace(AFTER, '')
    .replace(/\s?[-−]$/, '')
    .replace(LOOSE_DECIMALS, '$1$2$3')
    .trim();
  const whole = parseNumber(bare, decimalSign);
  if (whole !== undefined) return isNegative ? -whole : whole;
  const found = findNumbers(text, decimalSign);
  const amount = found.find(({ start, end }) => /[.,]\d{2}$/.test(text.slice(start, end)));
  return (amount ?? found[0])?.value;
}

const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;

function readDate(text: string, { dateOrder }: DocumentContext): string | undefined {
  return findDates(text.replace(COMPACT_DATE, '$1-$2-$3'), dateOrder)[0]?.value;
}

const TIME = /(?<![\d:.])(\d{1,2})[:h.](\d{2})(?::(\d{2}))?\s*([ap])?\.?m?\.?/i;

/** A moment; the time is 0:00 if none is printed. */
function readDateTime(text: string, { dateOrder }: DocumentContext): string | undefined {
  const [date] = findDates(text.replace(/(?<=\d)T(?=\d)/, ' '), dateOrder);
  if (date === undefined) return undefined;
  const rest = `${text.slice(0, date.start)}\n${text.slice(date.end)}`;
  const [, hours = '0', minutes = '00', seconds = '00', half] = TIME.exec(rest) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${date.value}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}Z`;
}
