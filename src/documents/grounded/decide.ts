import { withSums } from './amounts.ts';
import type { Findings } from './assemble.ts';
import { chooseList } from './choose-lists.ts';
import { chooseValues, type FieldCandidates } from './choose-values.ts';
import { type FilledList, rangesOf } from './filled-list.ts';
import type { Proposals, ReadSources } from './propose.ts';
import type { ListPlan } from './schema-plan.ts';
import { weighCandidates } from './weigh-candidates.ts';

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
  const weighed = withSums(
    proposals.fields.map((entry) => weighCandidates(entry, proposals.answers.get(entry.field), evidence)),
  );
  // Lists claim their text before fields do.
  const values = chooseValues(await rank(weighed), Array.from(lists.values()).flatMap(rangesOf));
  const none = new Map(Array.from(proposals.answers, ([field, answer]) => [field, answer.none]));
  return { values, lists, none, refused: new Set() };
}
