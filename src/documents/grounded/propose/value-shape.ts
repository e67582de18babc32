import type { Field } from '../plan/schema-plan.ts';
import { isOrganisation } from '../words/institutions.ts';
import { isOccupation } from '../words/occupations.ts';

/** How well a text matches a shape. */
export type Fits = (text: string) => number;

const DEGREE =
  /^(?:b\.?\s?sc|m\.?\s?sc|b\.?\s?a|m\.?\s?a|[bm]eng|ph\.?\s?d|mba|bachelor|master|diplom|laurea|licen[cz]|grado|grau|magister|magist|inżynier|abitur|bts|cap|dut|do[ck]tor|staatsexamen|maturit|baccalaur|mestrado|máster|\S+meister|mittlere reife|fachabitur|gesell|zertifik|certific|gcse|a[- ]levels?|nvq|hnd|brevet|bachiller|técnico|perito)/iu;

// From -1 (no match) to 1 (exact match).
const SHAPES: readonly (readonly [concepts: readonly string[], fits: Fits])[] = [
  [['email'], (text) => (/^[^\s@]+@[^\s@]+\.\p{L}+$/u.test(text) ? 1.5 : -2)],
  [['website'], (text) => (/^(?:https?:\/\/|www\.)\S+$|^\S+\.\p{L}{2,}\/\S*$/u.test(text) ? 1.5 : -2)],
  [
    ['iban'],
    (text) => (/^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}$/.test(text) ? 1.5 : /\d{5}/.test(text) ? 0.3 : -1),
  ],
  [['phone'], (text) => (/^[+(]?\d[\d\s()/.-]{5,}\d$/.test(text) ? 1.2 : -1.5)],
  [['time', 'created'], momentShape],
  [
    ['postcode'],
    (text) =>
      /^\d{4,5}(?:-\d{3,4})?$|^\d{2}-\d{3}$|^\d{4} ?[A-Z]{2}$|^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/.test(text)
        ? 1.2
        : -1,
  ],
  [['number', 'id', 'reference', 'code', 'sku', 'plate', 'taxnumber'], idShape],
  [
    ['address', 'street'],
    (text) => (/\p{L}.*\d|\d.*\p{L}/u.test(text) ? 0.8 : /\p{L}/u.test(text) ? -0.3 : -2),
  ],
  [['venue'], venueShape],
  [['coach', 'platform', 'gate', 'row', 'seat'], placeShape],
  [['subject', 'title'], (text) => (/@|^\W|^\d+$/.test(text) ? -1 : /\s/.test(text) ? 0.7 : 0.3)],
  [['city', 'country'], (text) => (/^\p{Lu}[^\d]*$/u.test(text) ? 0.7 : -1)],
  [['university'], (text) => nameShape(text) + (isOrganisation(text) ? 0.5 : 0)],
  [['degree'], (text) => nameShape(text) + (DEGREE.test(text) ? 0.8 : 0)],
  [['position'], (text) => nameShape(text) + (isOccupation(text) ? 0.5 : 0)],
  [['patient', 'employee', 'signature', 'cashier', 'chair', 'minutes', 'contact', 'assignee'], personShape],
  [['insurer', 'provider', 'carrier', 'store', 'employer'], organisationShape],
  [
    [
      'name',
      'first',
      'last',
      'customer',
      'seller',
      'sender',
      'recipient',
      'company',
      'requester',
      'landlord',
      'tenant',
      'person',
      'holder',
      'member',
      'degree',
      'university',
      'brand',
    ],
    nameShape,
  ],
];

const HONORIFIC = /^(?:mrs?|ms|miss|mme|mlle|m|herrn?|frau|sr|sra|sig|sig\.ra|dhr|mevr|pani?)\.?\s+\p{Lu}/iu;
/** `van der Berg, Jan` */
const LAST_FIRST =
  /^(?:\p{Ll}{2,3}\s+){0,2}\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?,\s\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,2}$/u;
/** A name has no more words of four and more small letters. */
const MOST_SMALL_WORDS = 2;
const SUFFIXED_TIME =
  /^(?:[01]?\d|2[0-3])(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m\.?|Uhr|uur|hrs|horas|heures|ore|godz\.?)$/i;
const DATED_TIME =
  /^\S*\d{4}\S*(?:\s\p{L}+\s\d{4})?,?\s(?:\p{L}{1,3}\s)?(?:[01]?\d|2[0-3])[:.h][0-5]\d(?::[0-5]\d)?/u;

/** The shape expected for a field's name; constant 0 if unknown. */
export function shapeOf({ words }: Pick<Field, 'words'>): Fits {
  const known = words.ownTokens.flatMap((token) => token.split('|'));
  const shapeFor = (tokens: readonly string[]) =>
    SHAPES.find(([concepts]) => concepts.some((concept) => tokens.includes(`=${concept}`)));
  const found = shapeFor(known) ?? shapeFor(words.tokens.flatMap((token) => token.split('|')));
  const fits = found?.[1] ?? unknownShape;
  // A `place` may be a town or a seat.
  return known.includes('=seat') ? (text) => Math.max(fits(text), idShape(text)) : fits;
}

/** Whether a text begins as the name of a degree does. */
export function isDegree(text: string): boolean {
  return DEGREE.test(text);
}

/** A field that says nothing of its values hardly means an address of mail or a time of day. */
function unknownShape(text: string): number {
  if (/^\d{1,2}$/.test(text)) return -0.5;
  return /^(?:\S+@\S+|\d{1,2}[:h]\d{2})$/.test(text) ? -1 : 0;
}

/** A time of day, with its date where it has one. */
function momentShape(text: string): number {
  return DATED_TIME.test(text) || SUFFIXED_TIME.test(text) ? 1.5 : timeShape(text);
}

function timeShape(text: string): number {
  const separator =
    /^(?:[01]?\d|2[0-3])([:.h])[0-5]\d(?::[0-5]\d)?(?:\s?(?:[ap]\.?m\.?|Uhr|uur|h|hrs|horas|heures|ore|godz\.?))?$/i.exec(
      text,
    )?.[1];
  if (separator === undefined) return -0.3;
  // With a full stop it may be a price.
  return separator === '.' ? 0.8 : 1.5;
}

function idShape(text: string): number {
  if (/^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/.test(text)) return -1;
  if (/^[^\s]*\d[^\s]*$/.test(text)) return 1;
  if (
    /^[\p{L}\d./-]*\d[\p{L}\d./-]*(?: [\dA-Z./-]+){1,5}$/u.test(text) ||
    /^[A-Z]{1,3}-?[A-Z]{0,2} \d+$/.test(text)
  )
    return 0.8;
  return /\d/.test(text) ? 0 : -1.2;
}

/** The name of a place, with its room or floor. */
function venueShape(text: string): number {
  return /^\p{Lu}/u.test(text) && !/^[^\p{L}]*$|\d{3}/u.test(text) ? 0.7 : -1;
}

/** The number of a seat or the like: a figure or a single letter. */
function placeShape(text: string): number {
  if (/^(?:\p{L}+\.?\s)?(?:\p{Lu}?\d+\p{Lu}?|\p{Lu})$/u.test(text)) return 0.8;
  return /\d/.test(text) ? 0.2 : -1;
}

function personShape(text: string): number {
  if (LAST_FIRST.test(text)) return 0.7;
  if (/^\p{Ll}{4}/u.test(text)) return -1.5;
  return nameShape(text) + (HONORIFIC.test(text) ? 0.3 : isOrganisation(text) ? -0.6 : 0);
}

function organisationShape(text: string): number {
  return nameShape(text) + (HONORIFIC.test(text) ? -1 : isOrganisation(text) ? 0.4 : 0);
}

function nameShape(text: string): number {
  if (/\d{3}|@|[€$£]|^\d{1,2}[:.h]\d{2}$/.test(text)) return -1.2;
  if (/\d/.test(text)) return -0.5;
  if (!/^\p{Lu}/u.test(text)) return -0.7;
  if ((text.match(/(?<!\p{L})\p{Ll}{4,}/gu)?.length ?? 0) > MOST_SMALL_WORDS) return -1;
  if (text.endsWith(')')) return -0.3;
  return /,/.test(text) ? 0.1 : 0.7;
}
