import type { Field } from '../plan/schema-plan.ts';
import type { Candidate, FieldCandidates } from '../propose/candidate.ts';
import { type Evidence, positionAt } from '../read/evidence.ts';
import { similarity } from '../words/label-words.ts';

/** From here on a label is one that is printed for a value, not a text beside it. */
const PRINTED_WEIGHT = 0.85;
/** A label before a colon. */
const COLON_WEIGHT = 1;
const [NAMES, MAY_NAME] = [0.9, 0.3];
/** Below this a label says nothing for the field itself. */
const OWN_LABEL = 0.3;
const FOREIGN_COST = 1.5;
/** Behind a label that names no field stands what a field is called by a word that is not known. */
const UNCLAIMED_SCORE = 0.2;

/** Whose the labels at a place are. */
interface Owners {
  /** Whether they name a field. */
  readonly isOwned: boolean;
  /** Whether there is one before a colon that names none. */
  readonly isUnclaimed: boolean;
}

/** Weighs the values that no label names for their field: by a label that names another field, and by one that names none. */
export function withLabelOwners(
  fields: readonly FieldCandidates[],
  evidence: readonly Evidence[],
): readonly FieldCandidates[] {
  const names = fields.map(({ field }) => field);
  const known = new Map<number, Owners>();
  const ownersAt = (start: number) => {
    const owners = known.get(start) ?? ownersOf(start, names, evidence);
    known.set(start, owners);
    return owners;
  };
  return fields.map((entry) => {
    const isNamed = entry.candidates.some(({ label }) => label >= OWN_LABEL);
    const candidates = entry.candidates.map((one): Candidate => {
      if (one.label >= OWN_LABEL) return one;
      const { isOwned, isUnclaimed } = ownersAt(one.start);
      const unclaimed = isUnclaimed && !isNamed ? UNCLAIMED_SCORE : 0;
      return { ...one, score: one.score + (isOwned ? -FOREIGN_COST : unclaimed) };
    });
    return { ...entry, candidates: candidates.toSorted((one, other) => other.score - one.score) };
  });
}

function ownersOf(start: number, names: readonly Field[], evidence: readonly Evidence[]): Owners {
  const read = evidence.findLast(({ file }) => file.start <= start);
  const position = read && positionAt(read, start - read.file.start);
  const printed = (position?.labels ?? []).filter(({ weight }) => weight >= PRINTED_WEIGHT);
  const fitOf = (tokens: readonly string[]) =>
    Math.max(
      0,
      ...names.map(({ words, groupWords }) =>
        Math.max(similarity(tokens, words), similarity(tokens, groupWords)),
      ),
    );
  return {
    isOwned: printed.some(({ tokens }) => fitOf(tokens) >= NAMES),
    isUnclaimed: printed.some(({ tokens, weight }) => weight >= COLON_WEIGHT && fitOf(tokens) < MAY_NAME),
  };
}
