import { findDates } from '../../values/find-dates.ts';
import type { Field } from '../plan/schema-plan.ts';
import type { Position } from '../read/positions.ts';
import { isAbout } from './candidate.ts';
import { shapeOf } from './value-shape.ts';

const SHAPE_WEIGHT = 1.5;
/** A title of a document, or what heads a section or a column, is hardly a value. */
const HEADING_COST = 4;
/** A single word is rather a place or a part of a name. */
const PART_COST = 1;
/** The town of an address or before a date is not a name. */
const TOWN_COST = 4;
/** A date is not a name. */
const DATE_COST = 3;
const TIMES = [
  'date',
  'start',
  'end',
  'term',
  'birth',
  'issue',
  'due',
  'deadline',
  'graduation',
  'year',
  'month',
  'day',
  'time',
] as const;
/** The place where a person was born is no address. */
const BIRTHPLACE_COST = 5;
/** A part of a number is none. */
const CUT_COST = 2;
/** Neither is a box to tick. */
const BOX_COST = 3;
const BOX = /[[(]\s?[xX✓✔]?\s?[\])]|[☐☒☑]/;
/** The name of who writes a letter is not that of its reader. */
const LETTERHEAD_COST = 4;
const READERS = ['recipient', 'customer', 'tenant', 'employee', 'patient', 'member'] as const;
const WRITERS = [
  'sender',
  'seller',
  'company',
  'provider',
  'insurer',
  'employer',
  'store',
  'landlord',
] as const;
const PLACES = ['city', 'address', 'country', 'street', 'postcode'] as const;

/** How a text fits a field by its looks and what surrounds it, whatever labels say. */
export function textLooks(
  field: Pick<Field, 'words'>,
  value: string,
  position: Position | undefined,
): number {
  const isPart = isWholeName(field) && !/\s/.test(value);
  const shape = SHAPE_WEIGHT * shapeOf(field)(value) - (isPart ? PART_COST : 0);
  if (position === undefined) return shape;
  const heading = position.isHeading && !isAbout(field, 'subject') ? HEADING_COST : 0;
  const isTown =
    !isAbout(field, ...PLACES) && (position.isDatelinePlace || isBesidePostcode(position, value));
  const isBirthplace = position.isBirthplace && isAbout(field, 'city') && !isAbout(field, 'birth');
  return (
    shape -
    heading -
    (isTown ? TOWN_COST : 0) -
    (BOX.test(value) ? BOX_COST : 0) -
    (isDay(value) && !isAbout(field, ...TIMES) ? DATE_COST : 0) -
    (isBirthplace ? BIRTHPLACE_COST : 0) -
    (isAbout(field, 'phone') && isCut(value, position) ? CUT_COST : 0) -
    (position.isLetterhead && isReader(field) ? LETTERHEAD_COST : 0)
  );
}

/** Whether a field is a name as such: nothing says that it is a part of one. */
function isWholeName({ words }: Pick<Field, 'words'>): boolean {
  return words.ownTokens.every((token) => token.split('|').includes('=name'));
}

function isReader(field: Pick<Field, 'words'>): boolean {
  return isAbout(field, ...READERS) && !isAbout(field, ...WRITERS);
}

/** Whether figures go on behind a text. */
function isCut(value: string, { segment, offset }: Position): boolean {
  return /^[\s./-]{0,3}\d/.test(segment.text.slice(offset + value.length));
}

/** Whether a text is a date, with its day of the week at most. */
function isDay(value: string): boolean {
  if (!/\d{4}|\d{2}$/.test(value)) return false;
  const [date] = findDates(value);
  return (
    date !== undefined &&
    date.end === value.length &&
    /^(?:\p{L}+[,.]?\s)?$/u.test(value.slice(0, date.start))
  );
}

/** Whether a text without figures stands directly behind or before a postcode. */
export function isBesidePostcode({ segment, offset }: Position, value: string): boolean {
  const before = segment.text.slice(0, offset);
  const after = segment.text.slice(offset + value.length);
  if (/\d/.test(value)) return false;
  return (
    (/(?:^|[\s,])(?:\d{4,5}|\d{2}-\d{3}|\d{4}-\d{3}|\d{4} ?[A-Z]{2})\s$/.test(before) &&
      /^(?:$|,|\s*\()/.test(after)) ||
    (/^\s[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/.test(after) && (before === '' || /,\s$/.test(before)))
  );
}
