import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileChoice, FileHints } from '../file-hints.ts';
import type { Findings } from './assemble.ts';
import { chooseValues, type FieldCandidates, LEAST_SUPPORT } from './choose-values.ts';
import type { Evidence } from './evidence.ts';
import { fillBlocks } from './fill-blocks.ts';
import { fillItems } from './fill-items.ts';
import { type FilledList, fillRows } from './fill-rows.ts';
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

/** Lists from tables and labelled lines, each of one file; they take their places in the text before any field does. */
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

/** What may fill each field outside lists; a long text takes some 30 ms for each, and others get their turn in between. */
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
      // Any words may be a text; it takes a label to tell that they are this one.
      isFound: (found) => found.some(({ label }) => field.kind !== 'text' || label >= LEAST_SUPPORT),
    });
    fields.push({ field, candidates });
  }
  return fields;
}

/** Chooses among candidates, beside what lists have taken. */
export function findingsOf(
  fields: readonly FieldCandidates[],
  lists: ReadonlyMap<ListPlan, FilledList>,
): Findings {
  const taken = Array.from(lists.values()).flatMap(({ places }) => places);
  return { values: chooseValues(fields, taken), lists, refused: new Set() };
}

/** What is in the files that were chosen; where the choice is one for everything, what they do not have may be in others. */
function chosenFrom<One extends { readonly file: SourceFile }, Found>(
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

/** Objects come from a table, or from lines under a heading that names the list, or from labels that come again and again. */
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

/** The list of the file that has the best, in the places that it has among all files. */
function bestOf(
  files: readonly ReadFile[],
  fill: (file: ReadFile) => FilledList | undefined,
): FilledList | undefined {
  let best: FilledList | undefined;
  for (const one of files) {
    const filled = fill(one);
    if (filled === undefined || (best !== undefined && filled.fit <= best.fit)) continue;
    const { start: before } = one.file;
    const places = filled.places.map(({ start, end }) => ({ start: before + start, end: before + end }));
    best = { ...filled, places };
  }
  return best;
}

function hasRows(list: ListPlan): list is ListPlan & { readonly item: ObjectPlan } {
  return list.item.type === 'object';
}

function hasItems(list: ListPlan): list is ListPlan & { readonly item: LeafPlan } {
  return list.item.type === 'leaf';
}
