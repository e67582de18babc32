import { findDates } from '../../values/find-dates.ts';
import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceLine, SourceText } from '../read/source-text.ts';
import { isAbout } from './candidate.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledList } from './filled-list.ts';
import type { TextSlice } from './text-slice.ts';

/** A line that opens a message: by whom, and when. */
interface Opening {
  readonly index: number;
  readonly author: TextSlice;
  readonly moment: TextSlice;
  /** The date alone. */
  readonly day: TextSlice;
  /** The time of day alone. */
  readonly time: TextSlice | undefined;
}

/** The properties of a message by their meaning. */
interface MessageColumns {
  readonly author: Field;
  readonly moment: Field | undefined;
  readonly day: Field | undefined;
  readonly time: Field | undefined;
  readonly body: Field | undefined;
}

const FEWEST_MESSAGES = 2;
const MOST_AUTHOR_WORDS = 5;
const MOST_BODY_LINES = 40;
const TIME =
  /^(?:,?\s+(?:at|um|à|a las|alle(?: ore)?|om|o|às|kl\.?)?\s*|T)((?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|Uhr|uur))?)(?:\s(?:GMT|UTC|BST|CES?T|E[SD]T|P[SD]T))?(?!\d)/iu;
/** Words between an author and a moment. */
const SAID =
  /^[\s,;:·•|()[\]–—-]+|[\s,;:·•|()[\]–—-]+$|\s+(?:wrote|replied|commented|said|added|schrieb|hat geschrieben|antwortete|a écrit|a répondu|escribió|respondió|ha scritto|ha risposto|escreveu|schreef|napisała?)(?:\s+(?:on|am|le|el|il|em|op|dnia))?:?\s*$|\s+(?:on|am|le|el|il|em|op)$/giu;
/** Who or what an author is, in brackets behind the name. */
const BRACKETED = /^([^()]*[^()\s])\s+\([^()]+\)?$/u;
const RULE = /^[\s=_*-]+$/;

/** Builds a list of objects from messages below each other, each opened by its author and the moment. */
export function fillMessages(
  plan: ListPlan & { readonly item: ObjectPlan },
  { lines }: SourceText,
): FilledList | undefined {
  const columns = columnsOf(plan.item);
  if (columns === undefined) return undefined;
  const openings = openingsIn(lines);
  if (openings.length < FEWEST_MESSAGES) return undefined;
  const items = openings.flatMap((opening, order) => {
    const end = openings[order + 1]?.index ?? lines.length;
    return itemOf(plan.item, columns, { opening, body: bodyOf(lines.slice(opening.index + 1, end)) }) ?? [];
  });
  if (items.length < openings.length) return undefined;
  return { items: items.slice(0, plan.maxItems), fit: items.length, isNamed: true, isWhole: true };
}

/** Undefined if the properties are not an author, and a moment or the words of a message. */
function columnsOf({ properties }: ObjectPlan): MessageColumns | undefined {
  const fields = properties.flatMap(({ plan }) => (plan.type === 'leaf' ? [plan.field] : []));
  const named = (pattern: RegExp) => fields.find(({ path }) => pattern.test(path.at(-1) ?? ''));
  const body = named(/^(?:text|body|message|content|comment|note|entry)$/i);
  const author = named(/^(?:author|by|from|sender|user|name|person|who|writer|agent)(?:_name)?$/i);
  const others = fields.filter((field) => field !== body && field !== author);
  const day = others.find((field) => isDay(field));
  const rest = others.filter((field) => field !== day);
  const time = day === undefined ? undefined : rest.find((field) => isAbout(field, 'time'));
  const moment = rest.find((field) => field !== time && isMoment(field));
  const known = [body, author, day, time, moment];
  const isWhole = fields.every((field) => field.isNullable || known.includes(field));
  if (author === undefined || !isWhole || (moment ?? day ?? body) === undefined) return undefined;
  return { author, body, day, time, moment };
}

function isDay({ kind, path }: Field): boolean {
  return kind === 'date' || (kind === 'text' && /^(?:date|day)$/i.test(path.at(-1) ?? ''));
}

function isMoment(field: Field): boolean {
  const name = field.path.at(-1) ?? '';
  return (
    field.kind === 'date-time' || (field.kind === 'text' && /time|_at$|^(?:when|sent|posted|at)$/i.test(name))
  );
}

/** Lines that open messages: at the top of a block, or in the same columns as one that does, with a text between them. */
function openingsIn(lines: readonly SourceLine[]): readonly Opening[] {
  const all = lines.flatMap((line, index) => openingIn(line, index) ?? []);
  const columnsAt = ({ index }: Opening) => lines[index]?.segments.map(({ column }) => column).join() ?? '';
  const [first] = all;
  const areAlike =
    first !== undefined &&
    all.every((one, order) => columnsAt(one) === columnsAt(first) && one.index + 1 !== all[order + 1]?.index);
  return areAlike ? all : all.filter(({ index }) => isTop(lines, index));
}

/** Whether an empty line, a rule or nothing is above a line. */
function isTop(lines: readonly SourceLine[], index: number): boolean {
  const above = lines[index - 1];
  return above === undefined || above.segments.length === 0 || RULE.test(above.text);
}

/** The author and the moment that are all of a line. */
function openingIn({ text, start }: SourceLine, index: number): Opening | undefined {
  const [date, ...others] = findDates(text);
  if (date === undefined || others.length > 0) return undefined;
  const day = sliceOf(text, date, start);
  const [behind = '', hour] = TIME.exec(text.slice(date.end)) ?? [];
  const end = date.end + behind.length;
  const time = hour === undefined ? undefined : sliceOf(text, { start: end - hour.length, end }, start);
  const sides = [
    { start: 0, end: date.start },
    { start: end, end: text.length },
  ].flatMap((side) => bareSlice(text, side, start) ?? []);
  const [author, more] = sides;
  if (author === undefined || more !== undefined || !isAuthor(author.text)) return undefined;
  const name = BRACKETED.exec(author.text)?.[1] ?? author.text;
  const bare = { text: name, start: author.start, end: author.start + name.length };
  return { index, author: bare, moment: sliceOf(text, { start: date.start, end }, start), day, time };
}

function isAuthor(text: string): boolean {
  return (
    /^\p{Lu}[^\d:;]*$/u.test(text) && !/\s{2}/.test(text) && text.split(/\s+/).length <= MOST_AUTHOR_WORDS
  );
}

/** A side of a moment without signs and words of saying; undefined if nothing is left. */
function bareSlice(
  text: string,
  { start, end }: Pick<TextSlice, 'start' | 'end'>,
  lineStart: number,
): TextSlice | undefined {
  const said = text.slice(start, end);
  const bare = said.replace(SAID, '').replace(SAID, '');
  const at = start + said.indexOf(bare);
  return bare === '' ? undefined : sliceOf(text, { start: at, end: at + bare.length }, lineStart);
}

function sliceOf(
  text: string,
  { start, end }: Pick<TextSlice, 'start' | 'end'>,
  lineStart: number,
): TextSlice {
  return { text: text.slice(start, end), start: lineStart + start, end: lineStart + end };
}

/** The words below an opening, on one line. */
function bodyOf(lines: readonly SourceLine[]): TextSlice | undefined {
  const rule = lines.findIndex(({ text }) => text.trim() !== '' && RULE.test(text));
  const own = lines
    .slice(0, Math.min(MOST_BODY_LINES, rule < 0 ? lines.length : rule))
    .filter(({ text }) => text.trim() !== '');
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    text: own.map(({ text }) => text.trim()).join(' '),
    start: first.start,
    end: last.start + last.text.length,
  };
}

function itemOf(
  { properties }: ObjectPlan,
  columns: MessageColumns,
  { opening, body }: { readonly opening: Opening; readonly body: TextSlice | undefined },
): FilledItem | undefined {
  const slices = new Map<Field | undefined, TextSlice | undefined>([
    [columns.author, opening.author],
    [columns.moment, opening.moment],
    [columns.day, opening.day],
    [columns.time, opening.time],
    [columns.body, body],
  ]);
  const value: Record<string, unknown> = {};
  const leaves = new Map<string, TextSlice>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const slice = slices.get(plan.field);
    const read = slice === undefined ? undefined : cellValue(plan.field, slice.text);
    if (slice !== undefined && read !== undefined) {
      value[name] = read;
      leaves.set(name, slice);
    } else if (plan.field.isNullable) value[name] = null;
    else if (isRequired) return undefined;
  }
  return { value, leaves };
}
