import type { Field, ListPlan, ObjectPlan } from '../plan/schema-plan.ts';
import type { SourceText } from '../read/source-text.ts';
import { isOrganisation } from '../words/institutions.ts';
import { fieldWords, similarity } from '../words/label-words.ts';
import { isOccupation } from '../words/occupations.ts';
import { isAbout } from './candidate.ts';
import type { FilledItem, FilledList } from './filled-list.ts';
import { objectOf } from './object-of.ts';
import { type Station, sectionsOf, stationsOf } from './stations.ts';
import type { LineSlice, TextSlice } from './text-slice.ts';
import { isDegree } from './value-shape.ts';

const LEAST_SIMILARITY = 0.5;
/** The words by which headings name stations, whatever the schema calls them. */
const [EDUCATION, EXPERIENCE] = [fieldWords('education', ''), fieldWords('experience', '')];
const MOST_TEXTS = 2;
/** How much a station says of the order in which words tell only the one or the other. */
const HALF_VOTE = 0.5;

/** Builds a list of objects from the stations of a life under the heading that names it. */
export function fillPeriods(
  plan: ListPlan & { readonly item: ObjectPlan },
  source: SourceText,
): FilledList | undefined {
  const columns = columnsOf(plan.item);
  if (columns === undefined) return undefined;
  const kind = isEducation(columns) ? EDUCATION : EXPERIENCE;
  const found = sectionsOf(source).flatMap(({ heading, lines }) => {
    const fit = Math.max(similarity(heading, plan.words), similarity(heading, kind));
    return fit < LEAST_SIMILARITY ? [] : [{ fit, stations: stationsOf(lines) }];
  });
  const best = found
    .filter(({ stations }) => stations.length > 0)
    .toSorted((one, other) => other.fit - one.fit)[0];
  if (best === undefined) return undefined;
  const order = orderOf(best.stations, columns);
  const items = best.stations.flatMap((station) => itemOf(plan.item, { columns, order }, station) ?? []);
  if (items.length < best.stations.length) return undefined;
  return { items: items.slice(0, plan.maxItems), fit: best.fit, isNamed: true, isWhole: true };
}

/** The properties of a station by their meaning. */
interface StationColumns {
  readonly period: Field | undefined;
  readonly from: Field | undefined;
  readonly to: Field | undefined;
  readonly organisation: Field | undefined;
  readonly place: Field | undefined;
  /** The others, in their order. */
  readonly texts: readonly Field[];
}

/** Undefined if no property is a time, or none a text beside it. */
function columnsOf({ properties }: ObjectPlan): StationColumns | undefined {
  const fields = properties.flatMap(({ plan }) => (plan.type === 'leaf' ? [plan.field] : []));
  const called = (pattern: RegExp) => fields.find(({ path }) => pattern.test(path.at(-1) ?? ''));
  const from =
    called(/^(?:from|von|desde|de|du|dal|da|van|od|since|seit)(?:_|$)/i) ??
    fields.find((one) => isAbout(one, 'start'));
  const to =
    called(/^(?:to|until|till|bis|hasta|a|au|al|tot|do|ate)(?:_|$)/i) ??
    fields.find((one) => isAbout(one, 'end') && one !== from);
  const period = fields.find(
    (one) => one !== from && one !== to && isTime(one) && isAbout(one, 'term', 'year', 'date', 'graduation'),
  );
  const others = fields.filter((one) => one.kind === 'text' && one !== from && one !== to && one !== period);
  const named = others.find((one) => isAbout(one, 'employer', 'company', 'university', 'store', 'provider'));
  const places = others.filter((one) => one !== named && isAbout(one, 'city', 'country'));
  // Where nothing else names the organisation, it is the place of the station.
  const organisation = named ?? (others.length > places.length ? places[0] : undefined);
  const place = places.find((one) => one !== organisation);
  const texts = others.filter((one) => one !== organisation && one !== place);
  const isLife = organisation !== undefined || texts.some((one) => isAbout(one, 'position', 'degree'));
  if ((period ?? from) === undefined || others.length === 0 || texts.length > MOST_TEXTS) return undefined;
  // A year alone is in many lists.
  if (period !== undefined && period.kind !== 'text' && !isLife) return undefined;
  return { period, from, to, organisation, place, texts };
}

function isTime({ kind }: Field): boolean {
  return kind === 'text' || kind === 'integer' || kind === 'number';
}

function isEducation({ organisation, texts }: StationColumns): boolean {
  return [organisation, ...texts].some((one) => one !== undefined && isAbout(one, 'university', 'degree'));
}

/** Whether stations name the organisation before the role. */
type StationOrder = 'organisation-first' | 'role-first';

/** The order of most stations in which words tell what is what; roles come first usually. */
function orderOf(stations: readonly Station[], columns: StationColumns): StationOrder {
  const votes = stations.reduce((sum, { pieces }) => {
    const organisation = organisationIn(pieces, columns);
    const role = roleIn(pieces, columns);
    if (organisation >= 0 && role >= 0) return sum + Math.sign(role - organisation);
    // Of two pieces the other one is what no word tells.
    if (pieces.length < 2 || (organisation < 0 && role < 0)) return sum;
    return sum + HALF_VOTE * (organisation === 0 || role > 0 ? 1 : -1);
  }, 0);
  return votes > 0 ? 'organisation-first' : 'role-first';
}

function organisationIn(pieces: readonly LineSlice[], columns: StationColumns): number {
  return pieces.findIndex(({ text }) => isOrganisation(text) && !isRole(text, columns));
}

function roleIn(pieces: readonly LineSlice[], columns: StationColumns): number {
  return pieces.findIndex(({ text }) => isRole(text, columns) && !isOrganisation(text));
}

function isRole(text: string, { texts: [role] }: StationColumns): boolean {
  return role !== undefined && (isAbout(role, 'degree') ? isDegree(text) : isOccupation(text));
}

/** The piece that names the organisation; where no word says so, by where the role stands. */
function organisationPiece(
  pieces: readonly LineSlice[],
  columns: StationColumns,
  order: StationOrder,
): number {
  if (columns.organisation === undefined) return -1;
  const named = organisationIn(pieces, columns);
  if (named >= 0) return named;
  const role = roleIn(pieces, columns);
  if (role > 0 && (order === 'organisation-first' || columns.texts.length === 1)) return 0;
  if (order === 'organisation-first') return 0;
  return Math.min(columns.texts.length, pieces.length - 1);
}

interface Layout {
  readonly columns: StationColumns;
  readonly order: StationOrder;
}

/** The item; undefined if something is missing that must be there. */
function itemOf(
  plan: ObjectPlan,
  { columns, order }: Layout,
  { period, pieces }: Station,
): FilledItem | undefined {
  const byField = new Map<Field, TextSlice>();
  const set = (field: Field | undefined, piece: TextSlice | undefined) => {
    if (field !== undefined && piece !== undefined) byField.set(field, piece);
  };
  set(columns.period, timeFor(columns.period, period.pieces[0], period.to ?? period.from));
  set(columns.from, timeFor(columns.from, period.from, period.from));
  set(columns.to, timeFor(columns.to, period.to, period.to));
  const at = organisationPiece(pieces, columns, order);
  const organisation = pieces[at];
  // What follows an organisation in its line is its place, and so is what stands in brackets behind it.
  const place = pieces.find(({ line }, index) => index === at + 1 && line === organisation?.line);
  const bracketed = columns.place === undefined || place !== undefined ? undefined : splitPlace(organisation);
  set(columns.organisation, bracketed?.name ?? organisation);
  set(columns.place, place ?? bracketed?.place);
  const rest = pieces.filter((piece) => piece !== organisation);
  const roles =
    at === 0 && rest.some((piece) => piece !== place) ? rest.filter((piece) => piece !== place) : rest;
  for (const [index, field] of columns.texts.entries()) set(field, roles[index]);
  const last = roles[columns.texts.length];
  if (place === undefined && bracketed === undefined && last !== undefined && last.line > 0)
    set(columns.place, last);
  return objectOf(plan, byField);
}

/** `Harbour Works (Leeds)`: an organisation and its place. */
function splitPlace(
  organisation: TextSlice | undefined,
): { readonly name: TextSlice; readonly place: TextSlice } | undefined {
  if (organisation === undefined) return undefined;
  const [, name, place] = /^([^()]*[^()\s])\s+\(([^()\d]+)\)?$/u.exec(organisation.text) ?? [];
  if (name === undefined || place === undefined) return undefined;
  const { start } = organisation;
  const at = start + organisation.text.lastIndexOf(place);
  return {
    name: { text: name, start, end: start + name.length },
    place: { text: place, start: at, end: at + place.length },
  };
}

/** A time as the field asks for it: a number is its year. */
function timeFor(
  field: Field | undefined,
  whole: TextSlice | undefined,
  point: TextSlice | undefined,
): TextSlice | undefined {
  if (field === undefined || field.kind === 'text') return whole;
  const year = /(?:19|20)\d{2}/.exec(point?.text ?? '');
  if (year === null || point === undefined) return undefined;
  const start = point.start + year.index;
  return { text: year[0], start, end: start + year[0].length };
}
