import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Findings } from './assemble.ts';
import { chooseValues, type FieldCandidates } from './choose-values.ts';
import type { Evidence } from './evidence.ts';
import { fillBlocks } from './fill-blocks.ts';
import { fillItems } from './fill-items.ts';
import { type FilledList, fillRows } from './fill-rows.ts';
import { findCandidates } from './find-candidates.ts';
import { findEntries } from './find-entries.ts';
import { findTables, type Table } from './find-tables.ts';
import { similarity } from './label-words.ts';
import { fieldsOf, type LeafPlan, type ListPlan, type ObjectPlan, type SchemaPlan } from './schema-plan.ts';
import type { SourceText } from './source-text.ts';

const LEAST_SIMILARITY = 0.5;

/** Lists from tables and labelled lines, which take their places in the text before any field does. */
export function fillLists(plan: SchemaPlan, source: SourceText): ReadonlyMap<ListPlan, FilledList> {
  const filled = new Map<ListPlan, FilledList>();
  const read = { source, tables: findTables(source), entries: findEntries(source) };
  for (const list of listsOf(plan)) {
    const found = fillList(list, read);
    if (found !== undefined) filled.set(list, found);
  }
  return filled;
}

/** What may fill each field outside lists; a long text takes some 30 ms for each, and others get their turn in between. */
export async function candidatesOf(
  plan: SchemaPlan,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<readonly FieldCandidates[]> {
  const fields: FieldCandidates[] = [];
  for (const field of fieldsOf(plan)) {
    await nextTurn();
    signal.throwIfAborted();
    fields.push({ field, candidates: findCandidates(field, evidence) });
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

function listsOf(plan: SchemaPlan): readonly ListPlan[] {
  if (plan.type === 'list') return [plan];
  return plan.type === 'object' ? plan.properties.flatMap((property) => listsOf(property.plan)) : [];
}

interface ReadLists {
  readonly source: SourceText;
  readonly tables: readonly Table[];
  readonly entries: readonly Table[];
}

/** Objects come from a table, or from lines under a heading that names the list, or from labels that come again and again. */
function fillList(list: ListPlan, { source, tables, entries }: ReadLists): FilledList | undefined {
  if (hasItems(list)) return fillItems(list, source);
  if (!hasRows(list)) return undefined;
  const named = entries.filter(({ heading }) => similarity(heading, list.words) >= LEAST_SIMILARITY);
  return fillRows(list, tables) ?? fillRows(list, named) ?? fillBlocks(list, source);
}

function hasRows(list: ListPlan): list is ListPlan & { readonly item: ObjectPlan } {
  return list.item.type === 'object';
}

function hasItems(list: ListPlan): list is ListPlan & { readonly item: LeafPlan } {
  return list.item.type === 'leaf';
}
