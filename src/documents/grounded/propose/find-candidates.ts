import type { Field } from '../plan/schema-plan.ts';
import type { Evidence } from '../read/evidence.ts';
import type { Candidate } from './candidate.ts';
import { booleanCandidates, choiceCandidates } from './choice-candidates.ts';
import { dateCandidates } from './date-candidates.ts';
import { numberCandidates } from './number-candidates.ts';
import { textCandidates } from './text-candidates.ts';

/** Candidates kept per field. */
const MAX_CANDIDATES = 60;

/** Candidates of a field, best first, with offsets across all files. */
export function findCandidates(field: Field, evidence: readonly Evidence[]): readonly Candidate[] {
  return evidence
    .flatMap((found) =>
      allCandidates(field, found).map((candidate) => placedAfter(candidate, found.file.start)),
    )
    .toSorted((one, other) => other.score - one.score || one.start - other.start)
    .slice(0, MAX_CANDIDATES);
}

function placedAfter(candidate: Candidate, start: number): Candidate {
  return { ...candidate, start: start + candidate.start, end: start + candidate.end };
}

function allCandidates(field: Field, evidence: Evidence): readonly Candidate[] {
  switch (field.kind) {
    case 'text':
      return textCandidates(field, evidence);
    case 'number':
    case 'integer':
      return numberCandidates(field, evidence);
    case 'date':
    case 'date-time':
      return dateCandidates(field, evidence);
    case 'boolean':
      return booleanCandidates(field, evidence);
    case 'choice':
      return choiceCandidates(field, evidence);
  }
}
