import { type FoundValue, overlaps } from '../values/found-value.ts';
import type { Candidate } from './candidate.ts';
import type { ProposedField } from './network-answers.ts';
import type { Field } from './schema-plan.ts';

/** A field and its candidates. */
export interface FieldCandidates {
  readonly field: Field;
  readonly candidates: readonly Candidate[];
  /** The network's answer, if it was asked. */
  readonly proposed?: ProposedField | undefined;
}

type Range = Pick<FoundValue<unknown>, 'start' | 'end'>;

const TAKEN_COST = 4;
/** Below this, no label supports the value, and a nullable or optional field stays empty. */
export const LEAST_SUPPORT = 0.3;
/** The same where the network says that the documents do not tell the value. */
const LEAST_SUPPORT_DENIED = 0.8;
const SURE_NONE = 0.5;
/** A value that the network gives at least this probability is taken. */
const LEAST_PROBABILITY = 0.2;

/** Assigns values, most certain field first; reusing text another field has taken is penalised. */
export function chooseValues(
  fields: readonly FieldCandidates[],
  takenBefore: readonly Range[] = [],
): ReadonlyMap<Field, Candidate> {
  const taken: Range[] = [...takenBefore];
  const chosen = new Map<Field, Candidate>();
  let pending = fields.map((entry) => judged(entry, taken));
  while (pending.length > 0) {
    const surest = pending.reduce((one, other) => (other.margin > one.margin ? other : one));
    pending = pending.filter((entry) => entry !== surest);
    const { best, entry } = surest;
    if (best === undefined || !isSupported(entry, best)) continue;
    chosen.set(entry.field, best);
    if (!mayShareText(entry.field)) taken.push(best);
    pending = pending.map((other) =>
      other.entry.candidates.some((one) => overlaps(one, best)) ? judged(other.entry, taken) : other,
    );
  }
  return chosen;
}

interface Judged {
  readonly entry: FieldCandidates;
  readonly best: Candidate | undefined;
  /** Lead of the best value over the next. */
  readonly margin: number;
}

function judged(entry: FieldCandidates, taken: readonly Range[]): Judged {
  const scored = entry.candidates
    .map((candidate) => {
      const isTaken = !mayShareText(entry.field) && taken.some((range) => overlaps(range, candidate));
      return isTaken ? { ...candidate, score: candidate.score - TAKEN_COST, label: 0 } : candidate;
    })
    .toSorted((one, other) => other.score - one.score);
  const [best] = scored;
  const next = scored.find((candidate) => candidate.value !== best?.value);
  const margin =
    best === undefined ? Number.NEGATIVE_INFINITY : best.score - (next?.score ?? best.score - 5) + best.label;
  return { entry, best, margin };
}

/** Several enumerations may match the same words. */
function mayShareText({ kind }: Field): boolean {
  return kind === 'choice' || kind === 'boolean';
}

/** Whether a field that may stay empty is filled. The network's "nothing" needs a clear label against it. */
function isSupported({ field, proposed }: FieldCandidates, { label, probability = 0 }: Candidate): boolean {
  if (!field.isNullable && !field.isOptional) return true;
  if (probability >= LEAST_PROBABILITY) return true;
  const isDenied = proposed !== undefined && !proposed.isTold && proposed.none >= SURE_NONE;
  return label >= (isDenied ? LEAST_SUPPORT_DENIED : LEAST_SUPPORT);
}
