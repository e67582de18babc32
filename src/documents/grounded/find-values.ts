import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileChoice, FileHints } from '../file-hints.ts';
import { type FieldCandidates, LEAST_SUPPORT } from './choose-values.ts';
import type { Evidence } from './evidence.ts';
import { fillBlocks } from './fill-blocks.ts';
import { fillItems } from './fill-items.ts';
import { fillRows } from './fill-rows.ts';
import { type FilledList, placedAfter } from './filled-list.ts';
import { findCandidates } from './find-candidates.ts';
import { findEntries } from './find-entries.ts';
import { findTables, type Table } from './find-tables.ts';
import { similarity } from './label-words.ts';
import {
  fieldsOf,
  type LeafPlan,
  type ListPlan,
  listsOf,
  type ObjectPlan,
  type SchemaPlan,
} from './schema-plan.ts';
import type { SourceFile } from './source-text.ts';

const LEAST_SIMILARITY = 0.5;

/** Fills lists from tables and labelled lines, each from one file. Lists claim their text before fields do. */
export function fillLists(
  plan: SchemaPlan,
  files: readonly SourceFile[],
  hints: FileHints,
): ReadonlyMap<ListPlan, FilledList> {
  const filled = new Map<ListPlan, FilledList>();
  const read = files.map((file) => ({
    file,
    tables: findTables(file.source),
    entries: findEntries(file.source),
  }));
  for (const { list, path } of listsOf(plan)) {
    const found = chosenFrom(read, hints.choiceFor(path), {
      find: (some) => fillList(list, some),
      isFound: (one) => one !== undefined,
    });
    if (found !== undefined) filled.set(list, found);
  }
  return filled;
}

/** Candidates of each field outside lists. A field takes about 30 ms on a long text, so the event loop runs between fields. */
export async function candidatesOf(
  plan: SchemaPlan,
  { evidence, hints }: { readonly evidence: readonly Evidence[]; readonly hints: FileHints },
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
    fields.push({ field, candidates });
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

interface ReadFile {
  readonly file: SourceFile;
  readonly tables: readonly Table[];
  readonly entries: readonly Table[];
}

/** Objects come from a table, from lines under the list's heading, or from repeating labels. */
function fillList(list: ListPlan, files: readonly ReadFile[]): FilledList | undefined {
  if (hasItems(list)) return bestOf(files, ({ file }) => fillItems(list, file.source));
  if (!hasRows(list)) return undefined;
  const isNamed = ({ heading }: Table) => similarity(heading, list.words) >= LEAST_SIMILARITY;
  return (
    bestOf(files, ({ tables }) => fillRows(list, tables)) ??
    bestOf(files, ({ entries }) => fillRows(list, entries.filter(isNamed))) ??
    bestOf(files, ({ file }) => fillBlocks(list, file.source))
  );
}

/** The best list of any file, with offsets across all files. */
function bestOf(
  files: readonly ReadFile[],
  fill: (file: ReadFile) => FilledList | undefined,
): FilledList | undefined {
  let best: FilledList | undefined;
  for (const one of files) {
    const filled = fill(one);
    if (filled === undefined || (best !== undefined && filled.fit <= best.fit)) continue;
    best = placedAfter(filled, one.file.start);
  }
  return best;
}

function hasRows(list: ListPlan): list is ListPlan & { readonly item: ObjectPlan } {
  return list.item.type === 'object';
}

function hasItems(list: ListPlan): list is ListPlan & { readonly item: LeafPlan } {
  return list.item.type === 'leaf';
}
