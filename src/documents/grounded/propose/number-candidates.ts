import type { FoundValue } from '../../values/found-value.ts';
import type { Field } from '../plan/schema-plan.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { labelTokens, similarity, spacedName } from '../words/label-words.ts';
import { type Candidate, isAbout, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { wordsAfter } from './words-after.ts';

const AFTER_WEIGHT = 0.7;
/** A unit says nearly as much as a label. */
const UNIT_WEIGHT = 0.85;
const MONEY = [
  'total',
  'amount',
  'price',
  'net',
  'gross',
  'vat',
  'salary',
  'rent',
  'deposit',
  'change',
  'given',
  'tip',
  'discount',
] as const;
// The last total is usually the grand total.
const LATER_WEIGHT = 0.3;

/** Numbers that may fill a field. */
export function numberCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  const { source } = evidence;
  return evidence.numbers.flatMap((number) => {
    const { value, start, end } = number;
    if (field.kind === 'integer' && !Number.isInteger(value)) return [];
    const position = positionAt(evidence, start);
    if (position === undefined) return [];
    const after = wordsAfter(source.text, end);
    const label = Math.max(
      labelScore(field, position),
      AFTER_WEIGHT * similarity(after, field.words),
      isUnit(field, after) ? UNIT_WEIGHT : 0,
    );
    const score =
      LABEL_WEIGHT * label + looks(field, number, source.text) + (LATER_WEIGHT * start) / source.text.length;
    return [{ value, text: source.text.slice(start, end), start, end, label, score }];
  });
}

/** Whether the word behind a number is the unit that ends the field's name: `consumption_kwh`, `notice_months`. */
function isUnit({ path, words }: Field, [unit]: readonly string[]): boolean {
  const last = labelTokens(spacedName(path.at(-1) ?? '')).at(-1);
  return unit !== undefined && last === unit && words.ownTokens.length > 1;
}

function looks(field: Field, { value, start, end }: FoundValue<number>, text: string): number {
  const isPercent = /^\s?%/.test(text.slice(end, end + 2));
  const written = text.slice(start, end);
  const wantsPercent = isRate(field);
  let score = isPercent === wantsPercent ? 0.5 : -1.5;
  if (!isPercent && !wantsPercent && isAbout(field, ...MONEY)) {
    const isMoney =
      /[.,]\d\d$/.test(written) ||
      /[€$£]|EUR|USD|GBP|CHF/.test(text.slice(start - 4, start) + text.slice(end, end + 5));
    score += isMoney ? 0.6 : -0.6;
  }
  if (isAbout(field, 'year') && !isAbout(field, 'term')) score += value >= 1900 && value <= 2100 ? 0.8 : -0.4;
  if (/^0\d/.test(written)) score -= 1;
  return score;
}

function isRate(field: Field): boolean {
  return (
    field.words.tokens.some((name) => /^(?:percent|prozent|porcentaj|pourcent|percentual)/.test(name)) ||
    (isAbout(field, 'rate') && isAbout(field, 'vat', 'discount'))
  );
}
