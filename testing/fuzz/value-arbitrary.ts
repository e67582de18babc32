import fc from 'fast-check';
import { isRecord, type Schema } from '../schema-problems.ts';
import { anyCharacter } from './any-character.ts';

const MAXIMUM_DEPTH = 6;

/** Values accepted by a schema of the API description. */
export function valueArbitrary(schema: Schema, root: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return valueArbitrary(resolved(schema.$ref, root), root, depth);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    return fc.oneof(...choices.filter(isRecord).map((choice) => valueArbitrary(choice, root, depth)));
  }
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => typeArbitrary(type, schema, root, depth)));
}

function typeArbitrary(type: unknown, schema: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: limit(schema, 'minimum', -100), max: limit(schema, 'maximum', 100_000) });
    case 'number':
      return fc.double({
        min: limit(schema, 'minimum', -10),
        max: limit(schema, 'maximum', 1_000),
        noNaN: true,
      });
    case 'string':
      return fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 60 }),
        fc.constantFrom('user', 'text', 'tiny', ''),
      );
    case 'array':
      return arrayArbitrary(schema, root, depth);
    case 'object':
      return objectArbitrary(schema, root, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function arrayArbitrary({ items }: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > MAXIMUM_DEPTH) return fc.constant([]);
  return fc.array(isRecord(items) ? valueArbitrary(items, root, depth + 1) : fc.jsonValue(), {
    maxLength: 3,
  });
}

function objectArbitrary(schema: Schema, root: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > MAXIMUM_DEPTH || !isRecord(schema.properties))
    return fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 });
  const members = Object.entries(schema.properties).map(
    ([name, member]) =>
      [name, isRecord(member) ? valueArbitrary(member, root, depth + 1) : fc.jsonValue()] as const,
  );
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return fc.record(Object.fromEntries(members), { requiredKeys: required });
}

function limit(schema: Schema, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : otherwise;
}

function resolved(reference: string, root: Schema): Schema {
  const found = reference
    .replace(/^#\//u, '')
    .split('/')
    .reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), root);
  if (!isRecord(found)) throw new Error(`${reference} points to nothing`);
  return found;
}
