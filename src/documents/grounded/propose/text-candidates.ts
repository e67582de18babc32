import type { Field } from '../plan/schema-plan.ts';
import type { Evidence } from '../read/evidence.ts';
import type { Span } from '../read/find-spans.ts';
import type { Position } from '../read/positions.ts';
import { similarity } from '../words/label-words.ts';
import { type Candidate, isAbout, LABEL_WEIGHT, labelScore } from './candidate.ts';
import { currencyCandidates } from './currency-candidates.ts';
import { isBesidePostcode, textLooks } from './text-looks.ts';
import { shapeOf } from './value-shape.ts';

const SHAPE_WEIGHT = 1.5;
const OPENS_WEIGHT = 0.6;
const CLOSES_WEIGHT = 1;
const IS_LABEL_COST = 2;
const BESIDE_POSTCODE_WEIGHT = 1.2;
/** Prefers the run up to the end of the segment. */
const WHOLE_WEIGHT = 0.3;
/** A text behind a clear label, up to a comma or the end, is meant by it, even if the network points at something else. */
const FILLS_WEIGHT = 1.5;
/** Words that go on with a label: `Parent or guardian`. */
const ALTERNATIVE = /^(?:or|oder|ou|lub)\s\p{Ll}/u;
/** A few words, but no sentence and no two texts. */
const PHRASE = /^(?!.*(?:[.;!?]|\s[-–—])\s)\S+(?:\s\S+){0,6}$/;
/** A label that names the field, directly before the value. */
const CLEAR_LABEL = 0.85;

/** Word runs that may fill a text field. */
export function textCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  if (isAbout(field, 'currency')) return currencyCandidates(evidence);
  const wanted = { field, isCity: isAbout(field, 'city') };
  return likelyPositions(field, evidence).flatMap(({ position, label }) =>
    evidence.spansAt(position).flatMap((span) => candidateOf(wanted, { position, span, label })),
  );
}

interface LabelledPosition {
  readonly position: Position;
  readonly label: number;
}

/** Likely positions of the field's value; if there are too many, those with the best labels or shape. */
function likelyPositions(field: Field, { positions, mostPositions }: Evidence): readonly LabelledPosition[] {
  const isAnywhere = isAbout(field, 'email', 'city', 'phone', 'time', 'created');
  const possible = positions.flatMap((position) => {
    const label = labelScore(field, position);
    const isPossible = label > 0 || position.opensSlot || isAnywhere || ownNameScore(field, position) > 0;
    return isPossible ? [{ position, label }] : [];
  });
  if (possible.length <= mostPositions) return possible;
  const fits = shapeOf(field);
  return possible
    .map((one) => ({
      ...one,
      promise: LABEL_WEIGHT * one.label + SHAPE_WEIGHT * fits(firstWord(one.position)),
    }))
    .sort((one, other) => other.promise - one.promise)
    .slice(0, mostPositions);
}

function firstWord({ segment, offset }: Position): string {
  return /^\S*/.exec(segment.text.slice(offset))?.[0] ?? '';
}

/** How well a name names the field by saying what it is. */
function ownNameScore({ words }: Field, { ownName }: Position): number {
  return Math.max(0, ...(ownName?.kinds ?? []).map((kind) => similarity(kind, words)));
}

interface Wanted {
  readonly field: Field;
  readonly isCity: boolean;
}

interface Found extends LabelledPosition {
  readonly span: Span;
}

function candidateOf({ field, isCity }: Wanted, found: Found): readonly Candidate[] {
  const { position, span } = found;
  const { value, start, end, isLabel } = span;
  const own = value === position.ownName?.text ? ownNameScore(field, position) : 0;
  const label = Math.max(found.label, own);
  const rest = position.segment.text.slice(position.offset + value.length);
  // A bare label is not a value.
  if (/^\s*:/.test(rest) || ALTERNATIVE.test(value)) return [];
  const mayBeListed = isBracketed(position, label);
  if (mayBeListed && value.includes('(')) return [];
  const nextToPostcode = isCity && isBesidePostcode(position, value);
  const opens = position.opensSlot || label >= 0.5 || nextToPostcode;
  const closes = span.closesSlot || nextToPostcode;
  const isWhole = /^[.,;]?$/.test(rest);
  const isNamed = label >= CLEAR_LABEL;
  const fillsSlot = isNamed && position.opensSlot && isWhole && !isLabel;
  const score =
    LABEL_WEIGHT * label +
    textLooks(field, value, position) +
    (opens ? OPENS_WEIGHT : 0) +
    (closes ? CLOSES_WEIGHT : 0) +
    (nextToPostcode ? BESIDE_POSTCODE_WEIGHT : 0) -
    (isLabel && !isAbout(field, 'subject') ? IS_LABEL_COST : 0) +
    (isWhole ? WHOLE_WEIGHT : 0) +
    (isNamed && opensValue(position) && span.closesSlot && !isLabel && !/^(?:[[☐]|\([\sxX]?\))/.test(value)
      ? FILLS_WEIGHT
      : 0);
  return [
    {
      value,
      text: value,
      start,
      end,
      label,
      score,
      ...(fillsSlot && { fillsSlot }),
      ...(position.opensSlot && /^(?:$|[.;]$|,\s)/.test(rest) && PHRASE.test(value) && { isWhole: true }),
      ...(mayBeListed && { mayBeListed }),
    },
  ];
}

/** Whether a value may begin at a position: a cell, or behind a colon, but not what a bracket says of another. */
function opensValue({ opensSlot, offset, segment }: Position): boolean {
  return opensSlot && !/\(\s*$/.test(segment.text.slice(0, offset));
}

/** Whether the field is named by the label in brackets behind the value. */
function isBracketed({ bracketWeight }: Position, label: number): boolean {
  return bracketWeight !== undefined && label >= CLEAR_LABEL * bracketWeight;
}
