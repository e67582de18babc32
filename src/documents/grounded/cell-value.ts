import { findDates } from './find-dates.ts';
import { withoutAccents } from './month-names.ts';
import { parseNumber } from './parse-number.ts';
import type { Field } from './schema-plan.ts';

const AMOUNT = /^[^\p{L}\d-]*([-−–]?\d[\d\s.,']*?)\s*(?:%|[€$£¥]|[A-Z]{3}|\p{L}{1,3})?$/u;

/** Parses a table cell or list item as a value of the field; undefined if it does not fit. */
export function cellValue(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'text':
      return text;
    case 'number':
    case 'integer':
      return numberIn(text, field.kind);
    case 'date':
      return findDates(text)[0]?.value;
    case 'date-time': {
      const [date] = findDates(text);
      return date === undefined ? undefined : `${date.value}T00:00:00Z`;
    }
    case 'boolean':
      if (/^(?:yes|true|ja|s[ií]|oui|sim|x|✓|✔)$/i.test(text)) return true;
      return /^(?:no|false|nein|non|n[ãa]o|-)$/i.test(text) ? false : undefined;
    case 'choice':
      return field.choices.find((choice) => plain(String(choice)) === plain(text));
  }
}

function numberIn(text: string, kind: 'number' | 'integer'): number | undefined {
  const written = AMOUNT.exec(text.replace(/^(?:[A-Z]{3}|x)\s+/, '').trim())?.[1];
  const value = written === undefined ? undefined : parseNumber(written);
  return kind === 'integer' && value !== undefined && !Number.isInteger(value) ? undefined : value;
}

function plain(text: string): string {
  return withoutAccents(text).toLowerCase().replace(/[_-]/g, ' ');
}
