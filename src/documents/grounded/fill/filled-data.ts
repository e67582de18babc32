import { isRecord } from '../../../lib/json-record.ts';
import type { ObjectSchema } from '../../target-schema.ts';
import { resolvedSchema } from '../plan/plan-schema.ts';
import type { Filling } from './assemble.ts';

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
