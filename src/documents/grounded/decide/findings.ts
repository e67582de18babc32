import type { Field, ListPlan } from '../plan/schema-plan.ts';
import type { Candidate } from '../propose/candidate.ts';
import type { FilledList } from '../propose/filled-list.ts';

/** Values found for the leaves and lists of a plan. */
export interface Findings {
  readonly values: ReadonlyMap<Field, Candidate>;
  readonly lists: ReadonlyMap<ListPlan, FilledList>;
  /** The probability that the documents do not tell a field. */
  readonly none: ReadonlyMap<Field, number>;
  /** Paths whose found value was invalid; the model writes them. */
  readonly refused: ReadonlySet<string>;
}
