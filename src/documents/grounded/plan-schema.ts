import { isRecord } from '../../lib/json-record.ts';
import type { ObjectSchema } from '../target-schema.ts';
import type { ValueKind } from '../values/normalise.ts';
import { FieldWords, fieldWords, spacedName } from './label-words.ts';
import type { Field, LeafPlan, ListPlan, ObjectPlan, SchemaPlan } from './schema-plan.ts';

/** Context of a subschema. */
interface SchemaPath {
  readonly root: ObjectSchema;
  readonly path: readonly string[];
  readonly groupWords: FieldWords;
  readonly isOptional: boolean;
}

const MAX_DEPTH = 12;
// With these, a value found in the text may be invalid; validation detects that.
const COMBINING = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'patternProperties',
  'dependentSchemas',
  'prefixItems',
];

/** Turns a schema into fields to find; the rest is left to the model. */
export function planSchema(schema: ObjectSchema): SchemaPlan {
  return planOf(schema, { root: schema, path: [], groupWords: new FieldWords(), isOptional: false });
}

function planOf(given: unknown, at: SchemaPath): SchemaPlan {
  const { schema, isNullable } = resolved(given, at.root);
  const free = { type: 'free', words: wordsAt(schema, at) } as const;
  if (schema === undefined || at.path.length > MAX_DEPTH) return free;
  if (COMBINING.some((keyword) => keyword in schema)) return free;
  const { types, hasNull } = typesOf(schema);
  const [type, ...others] = types;
  if (others.length > 0) return free;
  if (Array.isArray(schema.enum) || 'const' in schema)
    return leaf(schema, 'choice', { ...at, isNullable: isNullable || hasNull });
  const nullable = isNullable || hasNull;
  if (type === 'object') return objectPlan(schema, nullable, at);
  if (type === 'array') return listPlan(schema, nullable, at) ?? free;
  const kind = kindOf(schema, type);
  if (kind === undefined || (kind === 'text' && free.words.has('=summary'))) return free;
  return leaf(schema, kind, { ...at, isNullable: nullable });
}

function objectPlan(
  schema: ObjectSchema,
  isNullable: boolean,
  at: SchemaPath,
): ObjectPlan | { type: 'free'; words: FieldWords } {
  const { properties } = schema;
  if (!isRecord(properties) || Object.keys(properties).length === 0)
    return { type: 'free', words: wordsAt(schema, at) };
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const groupWords = at.path.length === 0 ? new FieldWords() : wordsAt(schema, at);
  return {
    type: 'object',
    isNullable,
    properties: Object.entries(properties).map(([name, property]) => ({
      name,
      isRequired: required.has(name),
      plan: planOf(property, {
        root: at.root,
        path: [...at.path, name],
        groupWords,
        isOptional: at.isOptional || !required.has(name),
      }),
    })),
  };
}

function listPlan(schema: ObjectSchema, isNullable: boolean, at: SchemaPath): ListPlan | undefined {
  const words = wordsAt(schema, at);
  const item = planOf(schema.items ?? {}, { ...at, groupWords: words, path: [...at.path, '*'] });
  if (item.type !== 'leaf' && !isFlatObject(item)) return undefined;
  const { minItems, maxItems } = schema;
  return {
    type: 'list',
    isNullable,
    description: descriptionOf(schema),
    words,
    minItems: typeof minItems === 'number' ? minItems : 0,
    maxItems: typeof maxItems === 'number' ? maxItems : Number.MAX_SAFE_INTEGER,
    isUnique: schema.uniqueItems === true,
    item,
  };
}

function isFlatObject(plan: SchemaPlan): plan is ObjectPlan {
  return plan.type === 'object' && plan.properties.every((property) => property.plan.type === 'leaf');
}

function leaf(
  schema: ObjectSchema,
  kind: ValueKind,
  at: SchemaPath & { readonly isNullable: boolean },
): LeafPlan {
  const listed = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const field: Field = {
    path: at.path,
    kind,
    isNullable: at.isNullable || listed.includes(null),
    isOptional: at.isOptional,
    choices: listed.filter((choice) => choice !== null),
    label: labelOf(at.path),
    description: descriptionOf(schema),
    words: wordsAt(schema, at),
    groupWords: at.groupWords,
  };
  return { type: 'leaf', field };
}

/** Resolves local references and "this or null". */
export function resolvedSchema(given: unknown, root: ObjectSchema): ObjectSchema | undefined {
  return resolved(given, root).schema;
}

function resolved(
  given: unknown,
  root: ObjectSchema,
): { readonly schema: ObjectSchema | undefined; readonly isNullable: boolean } {
  let [schema, isNullable] = [given, false];
  for (let step = 0; step < MAX_DEPTH && isRecord(schema); step++) {
    const { $ref: reference, anyOf, oneOf } = schema;
    const either = anyOf ?? oneOf;
    if (typeof reference === 'string') schema = referenced(reference, root);
    else if (Array.isArray(either) && either.length === 2 && either.some(isNullSchema)) {
      const { anyOf: _, oneOf: __, ...rest } = schema;
      const other = either.find((member) => !isNullSchema(member));
      schema = isRecord(other) ? { ...rest, ...other } : other;
      isNullable = true;
    } else break;
  }
  return { schema: isRecord(schema) ? schema : undefined, isNullable };
}

function referenced(reference: string, root: ObjectSchema): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1);
  return steps.reduce<unknown>(
    (value, step) => (isRecord(value) ? value[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    root,
  );
}

function typesOf(schema: ObjectSchema): { readonly types: readonly unknown[]; readonly hasNull: boolean } {
  const { type } = schema;
  const listed = Array.isArray(type) ? type : type === undefined ? [impliedType(schema)] : [type];
  const types = listed.filter((one) => one !== 'null');
  // `number` includes `integer`.
  const merged = types.includes('number') ? types.filter((one) => one !== 'integer') : types;
  return { types: merged, hasNull: listed.includes('null') };
}

function impliedType(schema: ObjectSchema): string | undefined {
  if ('properties' in schema) return 'object';
  if ('items' in schema) return 'array';
  return undefined;
}

function kindOf({ format, description }: ObjectSchema, type: unknown): ValueKind | undefined {
  if (type === 'number' || type === 'integer' || type === 'boolean') return type;
  if (type !== 'string') return undefined;
  if (format === 'date' || format === 'date-time') return format;
  return typeof description === 'string' && /YYYY-MM-DD|ISO.?8601/i.test(description) ? 'date' : 'text';
}

function wordsAt(schema: ObjectSchema | undefined, { path }: SchemaPath): FieldWords {
  const name = path.findLast((step) => step !== '*') ?? '';
  const said = [schema?.title, schema?.description].filter((text) => typeof text === 'string');
  return fieldWords(name, said.join(' '));
}

function descriptionOf({ description, title }: ObjectSchema): string | undefined {
  return [description, title].find((text) => typeof text === 'string');
}

function labelOf(path: readonly string[]): string {
  const words = path
    .filter((step) => step !== '*')
    .map(spacedName)
    .join(' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function isNullSchema(schema: unknown): boolean {
  return isRecord(schema) && schema.type === 'null';
}
