import type { FileHints } from '../file-hints.ts';
import { askFields } from './ask-fields.ts';
import type { FieldCandidates } from './choose-values.ts';
import type { Evidence } from './evidence.ts';
import type { FilledList } from './filled-list.ts';
import { candidatesOf, chosenFrom, fillLists } from './find-values.ts';
import { askNetwork, joinedField, type NetworkAsking, type ProposedField } from './network-answers.ts';
import { networkList } from './network-lists.ts';
import { type Field, type ListPlan, listsOf, type SchemaPlan } from './schema-plan.ts';
import type { SourceFile } from './source-text.ts';

/** The documents as they were read. */
export interface ReadSources {
  readonly files: readonly SourceFile[];
  readonly hints: FileHints;
  readonly evidence: readonly Evidence[];
}

/** Proposals of rules and network. */
export interface Proposals {
  readonly fields: readonly FieldCandidates[];
  /** The network's answers; empty if it was not asked. */
  readonly answers: ReadonlyMap<Field, ProposedField>;
  readonly lists: ReadonlyMap<
    ListPlan,
    { readonly rules: FilledList | undefined; readonly network: FilledList | undefined }
  >;
}

/** Collects the values that may fill a plan: by rules, and by the network if there is one. */
export async function propose(
  plan: SchemaPlan,
  { files, hints, evidence }: ReadSources,
  { network, signal }: { readonly network: NetworkAsking | undefined; readonly signal: AbortSignal },
): Promise<Proposals> {
  const byRules = fillLists(plan, files, hints);
  const fields = await candidatesOf(plan, { evidence, hints }, signal);
  const pages = network === undefined ? [] : await askNetwork(askFields(plan), files, { ...network, signal });
  const answers = new Map<Field, ProposedField>();
  for (const { field } of fields) {
    const answer = chosenFrom(pages, hints.choiceFor(field.path), {
      find: (some) => joinedField(some, field),
      isFound: (found) => found?.isTold === true,
    });
    if (answer !== undefined) answers.set(field, answer);
  }
  const lists = listsOf(plan).map(({ list, path }) => {
    const network = chosenFrom(pages, hints.choiceFor(path), {
      find: (some) => networkList(list, some, evidence),
      isFound: (found) => found !== undefined,
    });
    return [list, { rules: byRules.get(list), network }] as const;
  });
  return { fields, answers, lists: new Map(lists) };
}
