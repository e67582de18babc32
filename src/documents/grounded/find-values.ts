import type { Findings } from './assemble.ts';
import { chooseValues, type FieldCandidates } from './choose-values.ts';
import type { Evidence } from './evidence.ts';
import { fillItems } from './fill-items.ts';
import { type FilledList, fillRows } from './fill-rows.ts';
import { findCandidates } from './find-candidates.ts';
import { fieldsOf, type LeafPlan, type ListPlan, type ObjectPlan, type SchemaPlan } from './schema-plan.ts';
import type { SourceText } from './source-text.ts';

/** Lists from tables and labelled lines, which take their places in the text before any field does. */
export function fillLists(plan: SchemaPlan, source: SourceText): ReadonlyMap<ListPlan, FilledList> {
  const filled = new Map<ListPlan, FilledList>();
  for (const list of listsOf(plan)) {
    const found = fillList(list, source);
    if (found !== undefined) filled.set(list, found);
  }
  return filled;
}

/** What may fill each field outside lists. */
export function candidatesOf(plan: SchemaPlan, evidence: Evidence): readonly FieldCandidates[] {
  return fieldsOf(plan).map((field) => ({ field, candidates: findCandidates(field, evidence) }));
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

function fillList(list: ListPlan, source: SourceText): FilledList | undefined {
  return hasRows(list) ? fillRows(list, source) : hasItems(list) ? fillItems(list, source) : undefined;
}

function hasRows(list: ListPlan): list is ListPlan & { readonly item: ObjectPlan } {
  return list.item.type === 'object';
}

function hasItems(list: ListPlan): list is ListPlan & { readonly item: LeafPlan } {
  return list.item.type === 'leaf';
}
