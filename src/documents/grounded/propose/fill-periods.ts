import { monthOf } from '../../values/month-names.ts';
import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceLine, SourceText } from '../read/source-text.ts';
import { isOrganisation } from '../words/institutions.ts';
import { labelTokens, similarity } from '../words/label-words.ts';
import { isAbout } from './candidate.ts';
import { cellValue } from './cell-value.ts';
import type { FilledItem, FilledList } from './filled-list.ts';

/** Text of a station in a life, and where it stands. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Period {
  readonly whole: Piece;
  readonly from: Piece | undefined;
  readonly to: Piece | undefined;
}

/** A period and what is said of it, in order. */
interface Station {
  readonly period: Period;
  readonly pieces: readonly Piece[];
}

const POINT = String.raw`(?:(?:\p{L}{3,12}\.?\s+(?:de\s+)?|(?:\d{1,2}[./])?\d{1,2}[./])?(?:19|20)\d{2})(?![\d.,/]\d)`;
const NOW =
  "heute|present|today|now|current|date|laufend|jetzt|aujourd[’']hui|présent|ce jour|actualidad|actual|presente|hoy|oggi|attuale|attualmente|heden|nu|hoje|atual|atualidade|dziś|dzisiaj|obecnie|nadal";
const RANGE = new RegExp(
  String.raw`(?<![\d./])(${POINT})\s*(?:[-–—]|\b(?:to|bis|until|à|au|al|a|até|tot|do)\b)\s*(${POINT}|(?:${NOW})(?!\p{L}))|(?<!\p{L})(?:seit|since|depuis|desde|dal|sinds|od|ab)\s+(?:le\s+)?(${POINT})`,
  'iu',
);
const LEAST_SIMILARITY = 0.5;
const PART_ENDS = /,\s+|\s+[–—|·-]\s+|\s+@\s+|\s+(?:bei|at|chez|presso|bij)\s+(?=\p{Lu})/gu;
const BULLET = /^[-*•·–+]\s/;
/** Lines below a period that may name its position and employer; more is a description. */
const MOST_LINES = 2;
const MOST_WORDS = 9;

/** Builds a list of objects from the stations of a life under the heading that names it: lines with a period, and what stands beside and below. */
export function fillPeriods(
  plan: ListPlan & { readonly item: ObjectPlan },
  source: SourceText,
): FilledList | undefined {
  const columns = columnsOf(plan.item);
  if (columns === undefined) return undefined;
  const found = sectionsOf(source).flatMap((section) => {
    const fit = similarity(section.heading, plan.words);
    return fit < LEAST_SIMILARITY ? [] : [{ fit, stations: stationsOf(section.lines) }];
  });
  const best = found
    .filter(({ stations }) => stations.length > 0)
    .toSorted((one, other) => other.fit - one.fit)[0];
  if (best === undefined) return undefined;
  const items = best.stations.flatMap((station) => itemOf(plan.item, columns, station) ?? []);
  if (items.length < best.stations.length) return undefined;
  return { items: items.slice(0, plan.maxItems), fit: best.fit, isNamed: true, isWhole: true };
}

/** The properties of a station by their meaning. */
interface StationColumns {
  readonly period: Field | undefined;
  readonly from: Field | undefined;
  readonly to: Field | undefined;
  readonly organisation: Field | undefined;
  /** The others, in their order. */
  readonly texts: readonly Field[];
}

/** Undefined if no property is a period, or none a text beside it. */
function columnsOf({ properties }: ObjectPlan): StationColumns | undefined {
  const fields = properties.flatMap(({ plan }) => (plan.type === 'leaf' ? [plan.field] : []));
  const named = (pattern: RegExp) => fields.find(({ path }) => pattern.test(path.at(-1) ?? ''));
  const from =
    named(/^(?:from|von|desde|de|du|dal|da|van|od|since|seit)(?:_|$)/i) ??
    fields.find((one) => isAbout(one, 'start'));
  const to =
    named(/^(?:to|until|till|bis|hasta|a|au|al|tot|do|ate)(?:_|$)/i) ??
    fields.find((one) => isAbout(one, 'end') && one !== from);
  const period = fields.find(
    (one) => one !== from && one !== to && one.kind === 'text' && isAbout(one, 'term', 'year', 'date'),
  );
  const others = fields.filter((one) => one.kind === 'text' && one !== from && one !== to && one !== period);
  const organisation = others.find((one) =>
    isAbout(one, 'employer', 'company', 'university', 'store', 'provider'),
  );
  if ((period ?? from) === undefined || others.length === 0 || others.length > 2) return undefined;
  return { period, from, to, organisation, texts: others.filter((one) => one !== organisation) };
}

interface Section {
  readonly heading: readonly string[];
  readonly lines: readonly SourceLine[];
}

/** The text below each line that heads something: it stands alone, is short, and an empty line or nothing is above it. */
function sectionsOf({ lines }: SourceText): readonly Section[] {
  const heads = lines.flatMap((line, index) => (isHead(lines, index) ? [{ line, index }] : []));
  return heads.map(({ line, index }, order) => ({
    heading: labelTokens(line.text),
    lines: lines.slice(index + 1, heads[order + 1]?.index ?? lines.length),
  }));
}

function isHead(lines: readonly SourceLine[], index: number): boolean {
  const [only, ...others] = lines[index]?.segments ?? [];
  if (only === undefined || others.length > 0 || (lines[index - 1]?.segments.length ?? 0) > 0) return false;
  const isShort = !/\d|[.,;]$/.test(only.text) && only.text.split(/\s+/).length <= 4;
  return isShort && labelTokens(only.text).some((token) => token.startsWith('='));
}

function stationsOf(lines: readonly SourceLine[]): readonly Station[] {
  const dated = lines.flatMap((line, index) => {
    const period = periodIn(line);
    return period === undefined ? [] : [{ line, index, period }];
  });
  return dated.map(({ line, index, period }, order) => {
    const beside = piecesOf(line, period.whole);
    const above = beside.length < 2 ? titleAbove(lines, index) : [];
    const next = dated[order + 1]?.index ?? lines.length;
    const below = linesBelow(lines.slice(index + 1, next)).flatMap((one) => piecesOf(one));
    return { period, pieces: [...above, ...beside, ...below] };
  });
}

/** The line above a period, if it stands at the top of a block. */
function titleAbove(lines: readonly SourceLine[], index: number): readonly Piece[] {
  const above = lines[index - 1];
  const isTop = (lines[index - 2]?.segments.length ?? 0) === 0;
  if (above === undefined || !isTop || above.segments.length !== 1 || periodIn(above) !== undefined)
    return [];
  return isTitle(above) ? piecesOf(above) : [];
}

function linesBelow(lines: readonly SourceLine[]): readonly SourceLine[] {
  const end = lines.findIndex((line) => line.segments.length === 0 || !isTitle(line));
  return lines.slice(0, Math.min(MOST_LINES, end < 0 ? lines.length : end));
}

/** Neither a description nor a label. */
function isTitle({ text, segments: [first] }: SourceLine): boolean {
  const said = text.trim();
  return (
    !BULLET.test(first?.text ?? '') &&
    !BULLET.test(said) &&
    !/:(?:\s|$)|[.;]$/.test(said) &&
    said.split(/\s+/).length <= MOST_WORDS &&
    /^\p{Lu}/u.test(said)
  );
}

function periodIn({ text, start }: SourceLine): Period | undefined {
  let from = 0;
  let match = RANGE.exec(text);
  // A word before a year that is no month does not belong to the period.
  while (match !== null && !match.slice(1).every(isPoint)) {
    from += match.index + (/^(?:\p{L}+\.?\s*|.)/u.exec(match[0])?.[0].length ?? 1);
    match = RANGE.exec(text.slice(from));
  }
  if (match === null) return undefined;
  const [whole, first, last, since] = match;
  const at = start + from + match.index;
  const pieceOf = (said: string | undefined, offset: number) =>
    said === undefined ? undefined : { text: said, start: at + offset, end: at + offset + said.length };
  return {
    whole: { text: whole, start: at, end: at + whole.length },
    from: pieceOf(first ?? since, since === undefined ? 0 : whole.length - since.length),
    to: pieceOf(last, whole.length - (last ?? '').length),
  };
}

/** Whether what stands before a year is a month. */
function isPoint(said: string | undefined): boolean {
  const word = said === undefined || !/\d/.test(said) ? undefined : /^\p{L}+/u.exec(said)?.[0];
  return word === undefined || monthOf(word) !== undefined;
}

/** The parts of a line beside a period. */
function piecesOf({ text, start }: SourceLine, without?: Piece): readonly Piece[] {
  const [from, to] = without === undefined ? [0, 0] : [without.start - start, without.end - start];
  return [
    { text: text.slice(0, from), start },
    { text: text.slice(to), start: start + to },
  ].flatMap((side) => cut(side));
}

function cut({ text, start }: Pick<Piece, 'text' | 'start'>): readonly Piece[] {
  const ends = [...text.matchAll(/\s{2,}|\||\t/g), ...text.matchAll(PART_ENDS)].toSorted(
    (one, other) => one.index - other.index,
  );
  const froms = [0, ...ends.map(({ index, 0: mark }) => index + mark.length)];
  const tos = [...ends.map(({ index }) => index), text.length];
  return froms.flatMap((from, order) => {
    const said = text.slice(from, Math.max(from, tos[order] ?? from));
    const bare = said.replace(/^[\s(),:;|–-]+|[\s(),:;|–-]+$/gu, '');
    const at = start + from + said.indexOf(bare);
    return /\p{L}{2}/u.test(bare) ? [{ text: bare, start: at, end: at + bare.length }] : [];
  });
}

/** The item; undefined if something is missing that must be there. */
function itemOf(
  plan: ObjectPlan,
  columns: StationColumns,
  { period, pieces }: Station,
): FilledItem | undefined {
  const byField = new Map<Field, Piece>();
  const set = (field: Field | undefined, piece: Piece | undefined) => {
    if (field !== undefined && piece !== undefined) byField.set(field, piece);
  };
  set(columns.period, period.whole);
  set(columns.from, period.from);
  set(columns.to, period.to);
  const { organisation, texts } = columns;
  const place = organisation === undefined ? -1 : pieces.findIndex(({ text }) => isOrganisation(text));
  const usual = organisation === undefined ? -1 : Math.min(texts.length, pieces.length - 1);
  const at = place < 0 ? usual : place;
  set(organisation, pieces[at]);
  const rest = pieces.filter((_, index) => index !== at);
  for (const [index, field] of texts.entries()) set(field, rest[index]);
  return objectOf(plan, byField);
}

function objectOf({ properties }: ObjectPlan, pieces: ReadonlyMap<Field, Piece>): FilledItem | undefined {
  const members: [string, unknown][] = [];
  const leaves = new Map<string, Piece>();
  for (const { name, isRequired, plan } of properties) {
    if (plan.type !== 'leaf') return undefined;
    const piece = pieces.get(plan.field);
    const value = piece === undefined ? undefined : cellValue(plan.field, piece.text);
    if (piece !== undefined && value !== undefined) {
      members.push([name, value]);
      leaves.set(name, piece);
    } else if (plan.field.isNullable) members.push([name, null]);
    else if (isRequired) return undefined;
  }
  return leaves.size === 0 ? undefined : { value: Object.fromEntries(members), leaves };
}
