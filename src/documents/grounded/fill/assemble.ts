import { isRecord } from '../../../lib/json-record.ts';
import { pointerOf } from '../../json-pointer.ts';
import type { ObjectSchema } from '../../target-schema.ts';
import type { Findings } from '../decide/decide.ts';
import { resolvedSchema } from '../plan/plan-schema.ts';
import type { ListPlan, ObjectPlan, SchemaPlan } from '../plan/schema-plan.ts';

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

/** Whether nothing is left for the model to write. */
export function isComplete(filling: Filling): boolean {
  if (filling.state === 'object') return Array.from(filling.members.values()).every(isComplete);
  return filling.state !== 'free';
}

/** Paths the model must write. */
export function freePaths(filling: Filling, path: readonly string[] = []): readonly (readonly string[])[] {
  if (filling.state === 'free') return [path];
  if (filling.state !== 'object') return [];
  return Array.from(filling.members).flatMap(([name, member]) => freePaths(member, [...path, name]));
}

export function dataOf(filling: Filling): unknown {
  if (filling.state === 'value') return filling.value;
  if (filling.state !== 'object') return undefined;
  const members = Array.from(filling.members).filter(([, member]) => member.state !== 'absent');
  return Object.fromEntries(members.map(([name, member]) => [name, dataOf(member)]));
}

/** Merges the values found with those written. */
export function completedData(
  filling: Filling | undefined,
  written: ObjectSchema,
): Readonly<Record<string, unknown>> {
  if (filling?.state !== 'object') return written;
  const members = Array.from(filling.members).flatMap(([name, member]) => {
    if (member.state === 'free') return name in written ? [[name, written[name]] as const] : [];
    if (isComplete(member)) return member.state === 'absent' ? [] : [[name, dataOf(member)] as const];
    const part = written[name];
    return [[name, completedData(member, isRecord(part) ? part : {})] as const];
  });
  return Object.fromEntries(members);
}

/** The values found, with the rest null, empty or omitted. */
export function dataWithout(filling: Filling, schema: unknown, root: ObjectSchema): unknown {
  if (filling.state !== 'object') return filling.state === 'free' ? nothingOf(schema, root) : dataOf(filling);
  const properties = resolvedSchema(schema, root)?.properties;
  const members = Array.from(filling.members).map(([name, member]) => [
    name,
    dataWithout(member, isRecord(properties) ? properties[name] : undefined, root),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function nothingOf(schema: unknown, root: ObjectSchema): unknown {
  const { type } = resolvedSchema(schema, root) ?? {};
  if (type === 'array') return [];
  return allowsNull(schema) ? null : undefined;
}

function allowsNull(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  const { type, anyOf, oneOf } = schema;
  const either = [anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []));
  return type === 'null' || (Array.isArray(type) && type.includes('null')) || either.some(allowsNull);
}
