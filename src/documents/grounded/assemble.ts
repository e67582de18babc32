import { pointerOf } from '../json-pointer.ts';
import type { Candidate } from './candidate.ts';
import type { FilledList } from './filled-list.ts';
import type { Field, ListPlan, ObjectPlan, SchemaPlan } from './schema-plan.ts';

/** Values found for the leaves and lists of a plan. */
export interface Findings {
  readonly values: ReadonlyMap<Field, Candidate>;
  readonly lists: ReadonlyMap<ListPlan, FilledList>;
  /** The probability that the documents do not tell a field. */
  readonly none: ReadonlyMap<Field, number>;
  /** Paths whose found value was invalid; the model writes them. */
  readonly refused: ReadonlySet<string>;
}

/** The state of a part of the schema: a value, absent, or to be written by the model. */
export type Filling =
  | { readonly state: 'value'; readonly value: unknown; readonly isFound: boolean }
  | { readonly state: 'object'; readonly members: ReadonlyMap<string, Filling> }
  | { readonly state: 'absent' }
  | { readonly state: 'free' };

const ABSENT: Filling = { state: 'absent' };
const FREE: Filling = { state: 'free' };
const NULL: Filling = { state: 'value', value: null, isFound: false };

/** Fills a plan with the values found. */
export function assemble(plan: SchemaPlan, findings: Findings, path: readonly string[] = []): Filling {
  if (findings.refused.has(pointerOf(path))) return FREE;
  switch (plan.type) {
    case 'free':
      return FREE;
    case 'leaf': {
      const found = findings.values.get(plan.field);
      if (found !== undefined) return { state: 'value', value: found.value, isFound: true };
      if (plan.field.isNullable) return NULL;
      return plan.field.isOptional ? ABSENT : FREE;
    }
    case 'list':
      return listFilling(plan, findings);
    case 'object':
      return objectFilling(plan, findings, path);
  }
}

function listFilling(plan: ListPlan, { lists }: Findings): Filling {
  const items = lists.get(plan)?.items.map(({ value }) => value);
  if (items !== undefined && items.length >= plan.minItems)
    return { state: 'value', value: items, isFound: true };
  if (plan.isNullable) return NULL;
  return plan.minItems === 0 ? { state: 'value', value: [], isFound: false } : FREE;
}

function objectFilling(plan: ObjectPlan, findings: Findings, path: readonly string[]): Filling {
  const members = new Map<string, Filling>();
  for (const { name, isRequired, plan: property } of plan.properties) {
    const filling = assemble(property, findings, [...path, name]);
    const isEmpty = filling.state === 'object' && !hasFound(filling);
    // Omit an optional part rather than make it up.
    members.set(
      name,
      !isRequired && (isEmpty || isEmptyValue(filling))
        ? ABSENT
        : isRequired && filling.state === 'absent'
          ? FREE
          : filling,
    );
  }
  const filled: Filling = { state: 'object', members };
  return plan.isNullable && path.length > 0 && !hasFound(filled) ? NULL : filled;
}

function isEmptyValue(filling: Filling): boolean {
  return filling.state === 'value' && !filling.isFound && filling.value !== null;
}

function hasFound(filling: Filling): boolean {
  if (filling.state === 'object') return Array.from(filling.members.values()).some(hasFound);
  return filling.state === 'value' && filling.isFound;
}
