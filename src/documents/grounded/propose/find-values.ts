import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileChoice, FileHints } from '../../file-hints.ts';
import { overlaps } from '../../values/found-value.ts';
import { fieldsOf, type ListPlan, type LocatedList, listsOf, type SchemaPlan } from '../plan/schema-plan.ts';
import type { Evidence } from '../read/evidence.ts';
import type { SourceFile } from '../read/source-text.ts';
import { similarity } from '../words/label-words.ts';
import { type FieldCandidates, LEAST_SUPPORT } from './candidate.ts';
import { fillList, type ReadFile } from './fill-list.ts';
import { type FilledList, rangesOf } from './filled-list.ts';
import { findCandidates } from './find-candidates.ts';
import { findEntries, findTables, type Table } from './find-tables.ts';
import { centsOf } from './line-amounts.ts';
import type { AnsweredPage, SourceRange } from './network-answers.ts';
import { seenCells } from './network-lists.ts';

const BLANK_SIMILARITY = 0.9;

interface ReadEvidence {
  readonly evidence: readonly Evidence[];
  readonly hints: FileHints;
}

/** Fills lists from tables and labelled lines, each from one file. Lists claim their text before fields do, and one before another: a table has the rows of the list that it fits best. */
export function fillLists(
  plan: SchemaPlan,
  { evidence, hints }: ReadEvidence,
  pages: readonly AnsweredPage[],
): ReadonlyMap<ListPlan, FilledList> {
  const read = evidence.map(({ file, context, numbers }) => ({
    file,
    context,
    printedCents: new Set(numbers.map(({ value }) => centsOf(value))),
    tables: findTables(file.source),
    entries: findEntries(file.source),
  }));
  const claimed: SourceRange[] = [];
  const find = ({ list, path }: LocatedList) =>
    chosenFrom(read, hints.choiceFor(path), {
      find: (some) =>
        fillList(
          list,
          some.map((one) => withoutClaimed(one, list, { pages, claimed })),
        ),
      isFound: (one) => one !== undefined,
    });
  const filled = new Map<ListPlan, FilledList>();
  let pending = listsOf(plan).map((located) => ({ located, found: find(located) }));
  while (pending.length > 0) {
    const best = pending.reduce((one, other) =>
      (other.found?.fit ?? 0) > (one.found?.fit ?? 0) ? other : one,
    );
    if (best.found === undefined) break;
    const taken = rangesOf(best.found);
    filled.set(best.located.list, best.found);
    claimed.push(...taken);
    pending = pending
      .filter((one) => one !== best)
      .map((one) => (isAnyOf(one.found, taken) ? { ...one, found: find(one.located) } : one));
  }
  return filled;
}

function isAnyOf(list: FilledList | undefined, taken: readonly SourceRange[]): boolean {
  return list !== undefined && rangesOf(list).some((range) => taken.some((other) => overlaps(range, other)));
}

/** A file as a list sees it: without the tables whose rows another list has. */
function withoutClaimed(
  one: Omit<ReadFile, 'seen'>,
  list: ListPlan,
  { pages, claimed }: { readonly pages: readonly AnsweredPage[]; readonly claimed: readonly SourceRange[] },
): ReadFile {
  const isFree = ({ rows }: Table) =>
    !rows.some((row) => row.some((cell) => cell !== undefined && isClaimed(cell)));
  const isClaimed = ({ start, end }: SourceRange) =>
    claimed.some((range) => overlaps(range, { start: one.file.start + start, end: one.file.start + end }));
  return {
    ...one,
    tables: one.tables.filter(isFree),
    entries: one.entries.filter(isFree),
    seen: seenCells(list, pages, one.file),
  };
}

/** Candidates of each field outside lists. A field takes about 30 ms on a long text, so the event loop runs between fields. */
export async function candidatesOf(
  plan: SchemaPlan,
  { evidence, hints }: ReadEvidence,
  signal: AbortSignal,
): Promise<readonly FieldCandidates[]> {
  const fields: FieldCandidates[] = [];
  for (const field of fieldsOf(plan)) {
    await nextTurn();
    signal.throwIfAborted();
    const candidates = chosenFrom(evidence, hints.choiceFor(field.path), {
      find: (some) => findCandidates(field, some),
      // Any words can be text; only a label makes them a match.
      isFound: (found) => found.some(({ label }) => field.kind !== 'text' || label >= LEAST_SUPPORT),
    });
    const isBlank = evidence.some(({ blanks }) =>
      blanks.some((label) => similarity(label, field.words) >= BLANK_SIMILARITY),
    );
    fields.push({ field, candidates, ...(isBlank && { isBlank }) });
  }
  return fields;
}

/** Looks in the hinted files first; if the hint is general, other files are the fallback. */
export function chosenFrom<One extends { readonly file: SourceFile }, Found>(
  all: readonly One[],
  choice: FileChoice | undefined,
  {
    find,
    isFound,
  }: { readonly find: (some: readonly One[]) => Found; readonly isFound: (found: Found) => boolean },
): Found {
  if (choice === undefined) return find(all);
  const found = find(all.filter(({ file }) => choice.files.has(file.number)));
  return choice.isNamed || isFound(found) ? found : find(all);
}
