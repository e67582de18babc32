import type { Field, ListPlan } from '../plan/schema-plan.ts';
import type { Candidate, FieldCandidates } from '../propose/candidate.ts';
import { type FilledList, rangesOf } from '../propose/filled-list.ts';
import type { Proposals, ReadSources } from '../propose/propose.ts';
import { withSums } from './amounts.ts';
import { chooseList } from './choose-lists.ts';
import { chooseValues } from './choose-values.ts';
import { withClearLabels } from './clear-labels.ts';
import { withGroups } from './groups.ts';
import { withLabelOwners } from './label-owners.ts';
import { withoutLeftovers } from './leftovers.ts';
import { withSplitNames } from './split-names.ts';
import { weighCandidates } from './weigh-candidates.ts';

/** Values found for the leaves and lists of a plan. */
export interface Findings {
  readonly values: ReadonlyMap<Field, Candidate>;
  readonly lists: ReadonlyMap<ListPlan, FilledList>;
  /** The probability that the documents do not tell a field. */
  readonly none: ReadonlyMap<Field, number>;
  /** Paths whose found value was invalid; the model writes them. */
  readonly refused: ReadonlySet<string>;
}

/** Decides among proposals. The model ranks only those that rules and network are unsure of. */
export async function decide(
  proposals: Proposals,
  { evidence }: Pick<ReadSources, 'evidence'>,
  rank: (fields: readonly FieldCandidates[]) => Promise<readonly FieldCandidates[]> = async (fields) =>
    fields,
): Promise<Findings> {
  const lists = new Map<ListPlan, FilledList>();
  for (const [plan, found] of proposals.lists) {
    const list = chooseList(plan, found, evidence);
    if (list !== undefined) lists.set(plan, list);
  }
  const both = proposals.fields.map((entry) =>
    weighCandidates(entry, proposals.answers.get(entry.field), evidence),
  );
  const grouped = withGroups(withLabelOwners(both, evidence), evidence);
  const weighed = withoutLeftovers(withSplitNames(withSums(withClearLabels(grouped))), evidence);
  // Lists claim their text before fields do.
  const values = chooseValues(await rank(weighed), Array.from(lists.values()).flatMap(rangesOf));
  const none = new Map<Field, number>();
  for (const { field, isBlank, proposed } of weighed) {
    // Where an empty slot decided against the network, its figure says nothing.
    if (proposed !== undefined && (isBlank !== true || !proposed.isTold)) none.set(field, proposed.none);
  }
  return { values, lists, none, refused: new Set() };
}
