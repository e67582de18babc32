import type { Field } from '../plan/schema-plan.ts';
import { isOrganisation } from '../words/institutions.ts';

/** How well a text matches a shape. */
export type Fits = (text: string) => number;

const DEGREE =
  /^(?:b\.?\s?sc|m\.?\s?sc|b\.?\s?a|m\.?\s?a|[bm]eng|ph\.?\s?d|mba|bachelor|master|diplom|laurea|licen[cz]|grado|grau|magister|magist|inżynier|abitur|bts|cap|dut|do[ck]tor|staatsexamen|maturit|baccalaur|mestrado|máster)/iu;

// From -1 (no match) to 1 (exact match).
const SHAPES: readonly (readonly [concepts: readonly string[], fits: Fits])[] = [
  [['email'], (text) => (/^[^\s@]+@[^\s@]+\.\p{L}+$/u.test(text) ? 1.5 : -2)],
  [['website'], (text) => (/^(?:https?:\/\/|www\.)\S+$|^\S+\.\p{L}{2,}\/\S*$/u.test(text) ? 1.5 : -2)],
  [
    ['iban'],
    (text) => (/^[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}$/.test(text) ? 1.5 : /\d{5}/.test(text) ? 0.3 : -1),
  ],
  [['phone'], (text) => (/^[+(]?\d[\d\s()/.-]{5,}\d$/.test(text) ? 1.2 : -1.5)],
  [['time'], timeShape],
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
  [['subject', 'title'], (text) => (/@|^\W|^\d+$/.test(text) ? -1 : /\s/.test(text) ? 0.7 : 0.3)],
  [['city', 'country'], (text) => (/^\p{Lu}[^\d]*$/u.test(text) ? 0.7 : -1)],
  [['university'], (text) => nameShape(text) + (isOrganisation(text) ? 0.5 : 0)],
  [['degree'], (text) => nameShape(text) + (DEGREE.test(text) ? 0.8 : 0)],
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
      'employer',
      'employee',
      'store',
      'landlord',
      'tenant',
      'person',
      'signature',
      'cashier',
      'provider',
      'carrier',
      'holder',
      'position',
      'degree',
      'university',
      'brand',
      'chair',
      'minutes',
    ],
    nameShape,
  ],
];

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
    /^[\p{L}\d./-]*\d[\p{L}\d./-]*(?: [\dA-Z./-]+){1,3}$/u.test(text) ||
    /^[A-Z]{1,3}-?[A-Z]{0,2} \d+$/.test(text)
  )
    return 0.8;
  return /\d/.test(text) ? 0 : -1.2;
}

function nameShape(text: string): number {
  if (/\d{3}|@|[€$£]|^\d{1,2}[:.h]\d{2}$/.test(text)) return -1.2;
  if (/\d/.test(text)) return -0.5;
  if (!/^\p{Lu}/u.test(text)) return -0.7;
  if (text.endsWith(')')) return -0.3;
  return /,/.test(text) ? 0.1 : 0.7;
}
