import type { DocumentContext } from '../../values/document-context.ts';
import { findDates } from '../../values/find-dates.ts';
import { findNumbers } from '../../values/find-numbers.ts';
import { overlaps } from '../../values/found-value.ts';
import type { Field } from '../plan/schema-plan.ts';
import { isAbout } from './candidate.ts';
import type { SourceRange } from './network-answers.ts';
import type { TextSlice } from './text-slice.ts';

/** A number of a document: figures with signs between them, or many of them. */
const ID =
  /(?<![\p{L}\d])(?:[\p{L}\d]*\d[\p{L}\d]*[/-][\p{L}\d/-]*[\p{L}\d]|\p{Lu}{1,4}\d{2,}|\d{5,})(?![\p{L}\d])/gu;
const MENTION = /@(\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]*\.?)*)/u;
/** The day of the week before a date. */
const WEEKDAY = /,\s+\p{L}{3,12}\.?\s+$/u;
const CURRENCY_BESIDE = /(?:eur|euro|€|\$|£|usd|gbp|chf|zł|r\$)\s?$/i;
const CURRENCY_BEHIND = /^\s?(?:eur|euro|€|\$|£|usd|gbp|chf|zł)/i;
const MOST_TEXTS = 2;
const WORDS = /\p{L}{2}/u;

/** The parts of a line that says all of one item, by what they look like: dates, amounts, numbers of documents, persons, and the text that is left. Undefined if it does not say enough. */
export function readRemark(
  fields: readonly Field[],
  { text, start }: TextSlice,
  { dateOrder, mayHaveColon }: Pick<DocumentContext, 'dateOrder'> & { readonly mayHaveColon: boolean },
): ReadonlyMap<Field, TextSlice> | undefined {
  // Prose has nothing to go by.
  if (!/[\d@:]|\s[-–—]\s/.test(text)) return undefined;
  const found = new Map<Field, SourceRange>();
  const taken: SourceRange[] = [];
  const take = (field: Field | undefined, range: SourceRange | undefined, all = range) => {
    if (field === undefined || range === undefined || all === undefined) return;
    found.set(field, range);
    taken.push(all);
  };
  const isFree = (range: SourceRange) => !taken.some((other) => overlaps(range, other));
  const dated = fields.filter(({ kind }) => kind === 'date' || kind === 'date-time');
  const dates = dated.length > 0 && /\d/.test(text) ? findDates(text, dateOrder) : [];
  for (const [index, date] of dates.entries()) take(dated[index], date, withWeekday(text, date));
  const numbered = fields.find((one) => one.kind === 'text' && isAbout(one, 'number', 'id', 'reference'));
  take(numbered, idIn(text, isFree));
  const person = fields.find((one) => one.kind === 'text' && isAbout(one, 'assignee', 'person', 'employee'));
  const mention = MENTION.exec(text);
  if (mention !== null) {
    const range = { start: mention.index, end: mention.index + mention[0].length };
    take(person, { ...range, start: range.start + 1 }, range);
  }
  const figures = fields.filter(({ kind }) => kind === 'number' || kind === 'integer');
  const amounts = amountsIn(text, isFree, figures.length);
  for (const [index, field] of figures.entries()) take(field, amounts[index]);
  const texts = fields.filter((one) => one.kind === 'text' && !found.has(one));
  // Behind a colon alone may stand the value of some label.
  const between = mayHaveColon || found.size > 0 ? /\s*:\s+|\s+[-–—]\s+/ : /\s+[-–—]\s+/;
  const parts = textsIn(text, taken, { count: texts.length, between });
  if (texts.length > MOST_TEXTS || parts.length < texts.length || (found.size === 0 && texts.length < 2))
    return undefined;
  for (const [index, field] of texts.entries()) take(field, parts[index]);
  return new Map(Array.from(found, ([field, range]) => [field, sliceOf(text, range, start)]));
}

function withWeekday(text: string, { start, end }: SourceRange): SourceRange {
  return { start: start - (WEEKDAY.exec(text.slice(0, start))?.[0].length ?? 0), end };
}

function idIn(text: string, isFree: (range: SourceRange) => boolean): SourceRange | undefined {
  return Array.from(text.matchAll(ID), ({ index, 0: said }) => ({
    start: index,
    end: index + said.length,
  })).find(isFree);
}

/** The numbers that nothing else has; of too many, those with a currency. */
function amountsIn(
  text: string,
  isFree: (range: SourceRange) => boolean,
  wanted: number,
): readonly SourceRange[] {
  const numbers = wanted > 0 && /\d/.test(text) ? findNumbers(text).filter(isFree) : [];
  if (numbers.length <= wanted) return numbers;
  return numbers.filter(
    ({ start, end }) => CURRENCY_BESIDE.test(text.slice(0, start)) || CURRENCY_BEHIND.test(text.slice(end)),
  );
}

/** The longest stretch that nothing else has, as one text or as two. */
function textsIn(
  text: string,
  taken: readonly SourceRange[],
  { count, between }: { readonly count: number; readonly between: RegExp },
): readonly SourceRange[] {
  const ordered = taken.toSorted((one, other) => one.start - other.start);
  const froms = [0, ...ordered.map(({ end }) => end)];
  const tos = [...ordered.map(({ start }) => start), text.length];
  const free = froms.map((start, index) =>
    trimmed(text, { start, end: Math.max(start, tos[index] ?? start) }),
  );
  const longest = free.reduce((one, other) => (other.end - other.start > one.end - one.start ? other : one));
  const said = text.slice(longest.start, longest.end);
  if (!WORDS.test(said)) return [];
  if (count < 2) return [longest];
  const cut = between.exec(said);
  if (cut === null) return [];
  const at = longest.start + cut.index;
  const parts = [
    { start: longest.start, end: at },
    { start: at + cut[0].length, end: longest.end },
  ];
  return parts.every(({ start, end }) => WORDS.test(text.slice(start, end))) ? parts : [];
}

/** Without the marks at its ends. */
function trimmed(text: string, { start, end }: SourceRange): SourceRange {
  const said = text.slice(start, end);
  const before = /^[\s,;:.–—-]*/.exec(said)?.[0].length ?? 0;
  const bare = said.slice(before).replace(/[\s,;:–—-]*$/, '');
  return { start: start + before, end: start + before + bare.length };
}

function sliceOf(text: string, { start, end }: SourceRange, from: number): TextSlice {
  return { text: text.slice(start, end).replace(/\s+/g, ' '), start: from + start, end: from + end };
}
