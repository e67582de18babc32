import { CURRENCY_CODES } from '../../values/currency-codes.ts';
import { labelTokens } from '../words/label-words.ts';
import type { Birth } from './births.ts';
import type { Dateline } from './datelines.ts';
import { isAllLabel } from './find-spans.ts';
import { SIGNER_ROLE } from './position-tokens.ts';
import type { Segment, SourceLine, SourceText } from './source-text.ts';

/** A label near a position, and how likely it applies. */
export interface NearLabel {
  readonly tokens: readonly string[];
  readonly weight: number;
}

const ABOVE_WEIGHT = 0.75;
/** The title of a column says more than other text above. */
const TITLED_WEIGHT = 0.85;
const BESIDE_WEIGHT = 0.85;
const RUNNING_WEIGHT = 0.95;
const LATER_WEIGHT = 0.3;
const WITHIN_WEIGHT = 0.5;
const BRACKETED_WEIGHT = 0.95;
const CAPTION_WEIGHT = 1;
const ROLE_WEIGHT = 0.55;
const LETTER_ROLE_WEIGHT = 0.8;
const JOURNEY_WEIGHT = 0.9;
const DATELINE_WEIGHT = 0.9;
const [BIRTH_PLACE, BIRTH_DATE] = [
  ['=birth', '=city'],
  ['=birth', '=date'],
];
const [DATELINE_PLACE, DATELINE_DATE] = [['=city'], ['=date']];
const GREETING =
  /^(?:dear|sehr geehrte[rs]?|liebe[rs]?|estimad[oa]s?|querid[oa]s?|ch[eè]re?|gentile|egregi[oa]|prezad[oa]|geachte|beste|szanown[ay])(?:\s\p{L}{1,8}\.?)?$/iu;
const GREETING_WEIGHT = 0.6;
const TITLE_NUMBER = /(?:^|\s)[#[(]?\p{Lu}{0,6}[-#]?\d{3,}[\])]?:?$/u;
/** A field `title` means that too. */
const SUBJECT: NearLabel = { tokens: ['=subject|=position'], weight: 0.85 };
/** A title behind the number of a ticket has at least as many words. */
const TITLE_WORDS = 3;
/** Forms number their fields: `8 insurer`. */
const FORM_NUMBER = /^\d{1,2}[.)]?\s+(?=\p{L})/u;
const LABEL_WORDS = 5;
const MAX_LABEL_CHARACTERS = 60;
const HEADING_LINES = 6;
/** A line of prose is so long that it was broken for want of space. */
const PROSE_CHARACTERS = 45;
const OWN_LABEL = /^\p{L}[^:\d]{1,40}:(?:\s|$)/u;
// Currency signs and punctuation before a value are part of it, not of its label.
const VALUE_MARKS = new RegExp(String.raw`(?:(?<![\p{L}\d])(?:${CURRENCY_CODES})\s+)?[$€£¥("'[]*$`, 'u');

function isJourney(role: readonly string[] | undefined): boolean {
  return role?.[0] === '=departure' || role?.[0] === '=arrival';
}

/** A role as a label: in a letter nearly as good as a printed one. */
export function roleLabels(role: readonly string[] | undefined, isLetter: boolean): readonly NearLabel[] {
  if (role === undefined) return [];
  const named = { tokens: role, weight: ROLE_WEIGHT };
  if (isJourney(role)) return [{ tokens: role, weight: JOURNEY_WEIGHT }];
  if (role === SIGNER_ROLE) return [{ tokens: role, weight: LETTER_ROLE_WEIGHT }];
  return isLetter ? [named, { tokens: role.slice(0, 1), weight: LETTER_ROLE_WEIGHT }] : [named];
}

/** The place or the date of a dateline. */
export function datelineLabel(dateline: Dateline | undefined, offset: number): NearLabel | undefined {
  if (dateline === undefined || dateline.date === 0) return undefined;
  if (offset === dateline.date) return { tokens: DATELINE_DATE, weight: DATELINE_WEIGHT };
  return offset === 0 ? { tokens: DATELINE_PLACE, weight: DATELINE_WEIGHT } : undefined;
}

/** The date or the place in a sentence about a birth. */
export function birthLabel(birth: Birth | undefined, offset: number): NearLabel | undefined {
  if (birth === undefined) return undefined;
  if (offset === birth.date) return { tokens: BIRTH_DATE, weight: DATELINE_WEIGHT };
  return offset === birth.place ? { tokens: BIRTH_PLACE, weight: DATELINE_WEIGHT } : undefined;
}

/** The label to the left in the same segment; undefined at its start. */
export function ownLabels({ text }: Segment, offset: number): readonly NearLabel[] | undefined {
  const left = text.slice(0, offset).replace(VALUE_MARKS, '').trimEnd();
  if (left === '') return undefined;
  const ends = /[:#№]$/.test(left);
  const pieces = left.split(/[:;(]\s*|[,.]\s+/).filter((piece) => piece.trim() !== '');
  const last = pieces.at(-1) ?? '';
  if (ends) return [near(last, 1), ...(isTitleNumber(left) ? [SUBJECT] : [])];
  if (isGreeting(left)) return [near(last, GREETING_WEIGHT)];
  if (/[,.;(]$/.test(left)) return [near(pieces[0] ?? '', LATER_WEIGHT)];
  // After a label, preceding words are more likely part of the value than another label.
  return [near(last, left.includes(': ') ? WITHIN_WEIGHT : RUNNING_WEIGHT)];
}

/** Whether a text greets: the whole name of the person stands at the top of the letter. */
function isGreeting(left: string): boolean {
  return GREETING.test(left);
}

/** Whether the number of a ticket or a case ends a text, behind which its title stands. */
function isTitleNumber(left: string): boolean {
  return TITLE_NUMBER.test(left);
}

/** A label in brackets behind a part of a list: `Ann Lee (chair), Tom Wu (minutes)`. */
export function bracketLabel({ text }: Segment, offset: number): NearLabel | undefined {
  if (!/(?:^|[:,;]\s*)$/.test(text.slice(0, offset))) return undefined;
  const label = /^[^(),:;]{2,40}\((\p{L}[^()\d]{1,30})\)/u.exec(text.slice(offset))?.[1];
  return label === undefined ? undefined : near(label, BRACKETED_WEIGHT);
}

function near(text: string, weight: number): NearLabel {
  const words = text.slice(-MAX_LABEL_CHARACTERS).split(/\s+/).slice(-LABEL_WORDS).join(' ');
  return { tokens: labelTokens(words), weight };
}

/** The caption of a form below a value. */
export function captionLabel({ text }: Segment): NearLabel {
  return near(text.replace(/^\(|\)$/g, ''), CAPTION_WEIGHT);
}

/** A segment, its line and its number in it. */
export interface SegmentPlace {
  readonly line: number;
  readonly segment: Segment;
  readonly order: number;
}

/** Roles and headings by segment. */
export interface LineRoles {
  readonly roles: ReadonlyMap<Segment, readonly string[]>;
  readonly headings: ReadonlySet<Segment>;
}

/** Labels and heading of a segment. */
export interface Surroundings {
  readonly labels: readonly NearLabel[];
  readonly heading: readonly string[];
}

/** Labels of a segment's first position: the segment to the left, and the lines above. */
export function surroundings(
  { lines }: SourceText,
  { line, segment, order }: SegmentPlace,
  { roles, headings }: LineRoles,
): Surroundings {
  const labels: NearLabel[] = [];
  const left = lines[line]?.segments[order - 1];
  // Columns beside each other have the same labels.
  const before = left?.text === segment.text ? undefined : left;
  if (before !== undefined && /\p{L}/u.test(before.text)) {
    const isLabel = before.text.endsWith(':');
    labels.push(near(lastPiece(before.text), isLabel ? 1 : BESIDE_WEIGHT));
  }
  if (before !== undefined && order === 1 && isTitleNumber(before.text) && isTitle(segment))
    labels.push(SUBJECT);
  const running = order === 0 ? runningAbove(lines, line) : undefined;
  if (running !== undefined) return { labels: [running], heading: [] };
  const above = segmentAbove(lines, line, segment);
  // What has a label of its own does not stand under another.
  const isLabelled =
    before?.text.endsWith(':') === true ||
    (before !== undefined && isAllLabel(before.text)) ||
    OWN_LABEL.test(segment.text);
  if (above !== undefined && !isLabelled)
    labels.push(
      near(above.text.replace(FORM_NUMBER, ''), headings.has(above) ? TITLED_WEIGHT : ABOVE_WEIGHT),
    );
  return { labels, heading: headingOf(lines, { line, segment }, roles) };
}

/** The words before a line that goes on with a sentence of the line above. */
function runningAbove(lines: readonly SourceLine[], line: number): NearLabel | undefined {
  const [above, ...others] = lines[line - 1]?.segments ?? [];
  const [own, ...besides] = lines[line]?.segments ?? [];
  if (above === undefined || own === undefined || others.length + besides.length > 0) return undefined;
  if (above.text.length < PROSE_CHARACTERS || /[.:;!?]$/.test(above.text)) return undefined;
  return ownLabels({ text: `${above.text} `, column: above.column }, above.text.length + 1)?.[0];
}

function isTitle({ text }: Segment): boolean {
  return text.split(/\s+/).length >= TITLE_WORDS && !/\d{3}|:/.test(text);
}

function lastPiece(text: string): string {
  return (
    text
      .split(/[:;]\s*/)
      .filter((piece) => piece !== '')
      .at(-1) ?? ''
  );
}

/** The label in the line above, in the same columns. */
function segmentAbove(lines: readonly SourceLine[], line: number, segment: Segment): Segment | undefined {
  const above = lines[line - 1]?.segments.find((other) => sharesColumns(other, segment));
  if (above === undefined || (FORM_NUMBER.test(above.text) && FORM_NUMBER.test(segment.text)))
    return undefined;
  return isHeadingLike(above.text.replace(FORM_NUMBER, '')) ? above : undefined;
}

/** Whether two segments stand below each other. */
export function sharesColumns(one: Segment, other: Segment): boolean {
  return one.column < other.column + other.text.length && other.column < one.column + one.text.length;
}

/** Few words, no digits, nothing after a colon. */
function isHeadingLike(text: string): boolean {
  return !/\d|:\s*\S|[@;]|[.,]$/.test(text) && text.split(/\s+/).length <= LABEL_WORDS;
}

/** The block's heading: the nearest heading line above, else its first line. */
function headingOf(
  lines: readonly SourceLine[],
  { line, segment }: Pick<SegmentPlace, 'line' | 'segment'>,
  roles: ReadonlyMap<Segment, readonly string[]>,
): readonly string[] {
  for (let above = line - 1; above >= 0 && above >= line - HEADING_LINES; above--) {
    const here = lines[above]?.segments ?? [];
    if (here.length === 0) break;
    const found = here.find((other) => sharesColumns(other, segment));
    if (found === undefined) continue;
    const opensBlock = (lines[above - 1]?.segments.length ?? 0) === 0;
    const isAlone = opensBlock && here.length === 1;
    if (found.text.endsWith(':') || (isAlone && isKnownHeading(found.text))) return labelTokens(found.text);
    // What stands below a name is no name.
    if (opensBlock)
      return (
        roles.get(found)?.filter((token) => token !== '=name') ??
        labelTokens(/^([^:]{1,40}):\s/.exec(found.text)?.[1] ?? '')
      );
  }
  return [];
}

function isKnownHeading(text: string): boolean {
  return isHeadingLike(text) && labelTokens(text).some((token) => token.startsWith('='));
}
