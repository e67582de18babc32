import { isRecord } from '../../../lib/json-record.ts';
import type { ObjectSchema } from '../../target-schema.ts';
import { resolvedSchema } from '../plan/plan-schema.ts';
import { type FieldWords, fieldWords } from '../words/label-words.ts';
import { type Filling, isComplete } from './assemble.ts';

/** Characters for all strings together, and bounds for each. */
const ALL_CHARACTERS = 2_500;
const [FEWEST_CHARACTERS, MOST_CHARACTERS] = [30, 500];
const MOST_ITEMS = 20;
// These keywords already bound a string, or do not allow a shorter one.
const SHAPED = ['maxLength', 'enum', 'const', 'pattern', 'format'];
/** More names do not help to find relevant lines. */
const MAX_NAMES = 100;

/** The schema of the missing parts only, so that the model writes nothing twice. */
export function restSchema(root: ObjectSchema, filling: Filling): ObjectSchema {
  const { $defs, definitions, $schema } = root;
  const kept = Object.entries({ $schema, $defs, definitions }).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(kept), ...restOf(root, filling, root) };
}

function restOf(given: unknown, filling: Filling, root: ObjectSchema): ObjectSchema {
  const schema = resolvedSchema(given, root) ?? {};
  if (filling.state !== 'object' || !isRecord(schema.properties)) return schema;
  const { properties, required } = schema;
  const members = Array.from(filling.members).filter(([, member]) => !isComplete(member));
  const isNeeded = (name: string, { state }: Filling) =>
    state === 'object' || (Array.isArray(required) && required.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, member]) => [
        name,
        member.state === 'free' ? properties[name] : restOf(properties[name], member, root),
      ]),
    ),
    required: members.filter(([name, member]) => isNeeded(name, member)).map(([name]) => name),
    additionalProperties: false,
  };
}

/** Bounds every string and list of the schema: a small model that repeats itself would never stop. */
export function boundedSchema(schema: ObjectSchema): ObjectSchema {
  const characters = Math.floor(ALL_CHARACTERS / Math.max(1, countStrings(schema)));
  const most = Math.min(MOST_CHARACTERS, Math.max(FEWEST_CHARACTERS, characters));
  return boundedObject(schema, most);
}

function boundedObject(schema: ObjectSchema, most: number): ObjectSchema {
  const members = Object.entries(schema).map(([name, member]) => [name, boundedMember(name, member, most)]);
  return { ...Object.fromEntries(members), ...boundsOf(schema, most) };
}

function boundsOf(schema: ObjectSchema, most: number): ObjectSchema {
  const { minLength, minItems } = schema;
  if (isOfType(schema, 'string') && !SHAPED.some((keyword) => keyword in schema))
    return { maxLength: Math.max(most, typeof minLength === 'number' ? minLength : 0) };
  if (isOfType(schema, 'array') && !('maxItems' in schema))
    return { maxItems: Math.max(MOST_ITEMS, typeof minItems === 'number' ? minItems : 0) };
  return {};
}

/** Descends into schemas only, not into values such as an enumeration's. */
function boundedMember(name: string, member: unknown, most: number): unknown {
  if (['properties', '$defs', 'definitions', 'patternProperties'].includes(name) && isRecord(member))
    return mapped(member, (schema) => bounded(schema, most));
  if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(name) && Array.isArray(member))
    return member.map((schema) => bounded(schema, most));
  return ['items', 'additionalProperties'].includes(name) ? bounded(member, most) : member;
}

function bounded(schema: unknown, most: number): unknown {
  return isRecord(schema) ? boundedObject(schema, most) : schema;
}

function mapped(members: ObjectSchema, change: (schema: unknown) => unknown): ObjectSchema {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]));
}

function isOfType({ type }: ObjectSchema, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function countStrings(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, member) => sum + countStrings(member), 0);
  return inside + (isRecord(value) && isOfType(value, 'string') ? 1 : 0);
}

/** The names of all properties, at every depth. */
export function schemaWords(schema: unknown): readonly FieldWords[] {
  return namedSchemas(schema)
    .slice(0, MAX_NAMES)
    .map(([name, property]) => {
      const { title, description } = isRecord(property) ? property : {};
      return fieldWords(name, [title, description].filter((text) => typeof text === 'string').join(' '));
    });
}

function namedSchemas(schema: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(schema)) return schema.flatMap(namedSchemas);
  if (!isRecord(schema)) return [];
  const own = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(namedSchemas)];
}
