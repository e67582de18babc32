import { overlaps } from '../../values/found-value.ts';
import type { Candidate, FieldCandidates } from '../propose/candidate.ts';

/** A label that names a field at a value. */
const CLEAR_LABEL = 0.84;
/** The network is often sure of the value beside the right one. */
const FOREIGN_COST = 6;

/** Weighs a value less that a label gives to another field, if this one has a value with a label of its own elsewhere. */
export function withClearLabels(fields: readonly FieldCandidates[]): readonly FieldCandidates[] {
  const clear = fields.map(({ candidates }) => candidates.filter(({ label }) => label >= CLEAR_LABEL));
  return fields.map((entry, index) => {
    const own = clear[index] ?? [];
    if (own.length === 0) return entry;
    const isOfOther = (one: Candidate) =>
      clear.some((others, at) => at !== index && others.some((other) => isAt(one, other)));
    if (own.every(isOfOther)) return entry;
    const isForeign = (one: Candidate) => one.label < CLEAR_LABEL && isOfOther(one);
    const candidates = entry.candidates
      .map((one): Candidate => (isForeign(one) ? { ...one, score: one.score - FOREIGN_COST } : one))
      .toSorted((one, other) => other.score - one.score);
    return { ...entry, candidates };
  });
}

function isAt(one: Candidate, other: Candidate): boolean {
  return overlaps(one, other) && one.value === other.value;
}
