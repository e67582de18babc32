import type { FileHints } from '../../file-hints.ts';
import { askFields } from '../plan/ask-fields.ts';
import { type Field, type ListPlan, listsOf, type SchemaPlan } from '../plan/schema-plan.ts';
import type { Evidence } from '../read/evidence.ts';
import type { SourceFile } from '../read/source-text.ts';
import type { FieldCandidates } from './candidate.ts';
import type { FilledList } from './filled-list.ts';
import { candidatesOf, chosenFrom, fillLists } from './find-values.ts';
import { askNetwork, joinedField, type NetworkAsking, type ProposedField } from './network-answers.ts';
import { networkList } from './network-lists.ts';

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
  read: ReadSources,
  { network, signal }: { readonly network: NetworkAsking | undefined; readonly signal: AbortSignal },
): Promise<Proposals> {
  const { files, hints, evidence } = read;
  // The network works in a process of its own meanwhile.
  const [pages, fields] = await Promise.all([
    network === undefined ? [] : askNetwork(askFields(plan), files, { ...network, signal }),
    candidatesOf(plan, read, signal),
  ]);
  const byRules = fillLists(plan, read, pages);
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
