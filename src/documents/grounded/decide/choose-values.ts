import { type FoundValue, overlaps } from '../../values/found-value.ts';
import type { Field } from '../plan/schema-plan.ts';
import { type Candidate, type FieldCandidates, LEAST_SUPPORT } from '../propose/candidate.ts';
import { isNothing } from '../read/nothing-words.ts';

type Range = Pick<FoundValue<unknown>, 'start' | 'end'>;

const TAKEN_COST = 4;
/** The lead of a value that is alone. */
const ONLY_LEAD = 5;
/** The same where the network says that the documents do not tell the value. */
const LEAST_SUPPORT_DENIED = 0.8;
const SURE_NONE = 0.5;
/** For a field that must be filled. */
const SURE_DENIAL = 0.6;
const LEAST_MEANT = 0.01;
/** The score of a text that only stands in a place of its own. */
const LEAST_SCORE = 2.2;
/** Where a form has an empty slot for the field, only a label at another place speaks for a value. */
const CLEAR_LABEL = 0.6;
/** A value that the network gives at least this probability is taken. */
const LEAST_PROBABILITY = 0.2;
/** The member of an enumeration that a label names is no text of another field. */
const NAMED_ANSWER = 0.5;
/** A text that another field has taken is rarely a second value. */
const TAKEN_FRACTION = 0.25;

/** Assigns values, most certain field first; reusing text another field has taken is penalised. */
export function chooseValues(
  fields: readonly FieldCandidates[],
  takenBefore: readonly Range[] = [],
): ReadonlyMap<Field, Candidate> {
  const used: Range[] = [...takenBefore];
  const chosen = new Map<Field, Candidate>();
  let pending = fields.map((entry) => judged(entry, used));
  while (pending.length > 0) {
    const surest = pending.reduce((one, other) => (other.margin > one.margin ? other : one));
    pending = pending.filter((entry) => entry !== surest);
    const { best, entry, lead } = surest;
    if (best === undefined || !isSupported(entry, best)) continue;
    chosen.set(entry.field, { ...best, lead });
    if (!mayShareText(entry.field) || best.label >= NAMED_ANSWER) used.push(best);
    pending = pending.map((other) =>
      other.entry.candidates.some((one) => overlaps(one, best)) ? judged(other.entry, used) : other,
    );
  }
  return chosen;
}

interface Judged {
  readonly entry: FieldCandidates;
  readonly best: Candidate | undefined;
  /** How far the best value is ahead of the next. */
  readonly lead: number;
  /** The same, and how well it is named. */
  readonly margin: number;
}

function judged(entry: FieldCandidates, ranges: readonly Range[]): Judged {
  const scored = entry.candidates
    .map((candidate) => {
      const mayShare = mayShareText(entry.field) || candidate.mayBeListed === true;
      const isTaken = !mayShare && ranges.some((range) => overlaps(range, candidate));
      return isTaken ? taken(candidate) : candidate;
    })
    .toSorted((one, other) => other.score - one.score);
  const [best] = scored;
  const next = scored.find((candidate) => candidate.value !== best?.value);
  if (best === undefined) return { entry, best, lead: 0, margin: Number.NEGATIVE_INFINITY };
  const lead = best.score - (next?.score ?? best.score - ONLY_LEAD);
  return { entry, best, lead, margin: lead + best.label };
}

function taken(candidate: Candidate): Candidate {
  const { probability, score } = candidate;
  return {
    ...candidate,
    score: score - TAKEN_COST,
    label: 0,
    ...(probability !== undefined && { probability: TAKEN_FRACTION * probability }),
  };
}

/** Several enumerations may match the same words. */
function mayShareText({ kind }: Field): boolean {
  return kind === 'choice' || kind === 'boolean';
}

/** Whether a field that must be filled is rather left to the model: the network denies it, and neither a label nor its looks speak for the best text. */
function isImplausible(
  { field, proposed }: FieldCandidates,
  { label, score, probability = 0 }: Candidate,
): boolean {
  const isDenied = proposed !== undefined && !proposed.isTold && proposed.none >= SURE_DENIAL;
  const isUnbacked = label < LEAST_SUPPORT && probability < LEAST_MEANT && score < LEAST_SCORE;
  return field.kind === 'text' && isDenied && isUnbacked;
}

/** Whether a field that may stay empty is filled. An empty slot, and the network's "nothing", need a clear label against them. */
function isSupported(entry: FieldCandidates, best: Candidate): boolean {
  const { field, proposed, isBlank = false } = entry;
  const { label, text, probability = 0 } = best;
  if (!field.isNullable && !field.isOptional) return !isImplausible(entry, best);
  if (field.kind === 'text' && isNothing(text)) return false;
  if (isBlank && label < CLEAR_LABEL) return false;
  if (probability >= LEAST_PROBABILITY) return true;
  const isDenied = proposed !== undefined && !proposed.isTold && proposed.none >= SURE_NONE;
  return label >= (isDenied ? LEAST_SUPPORT_DENIED : LEAST_SUPPORT);
}
