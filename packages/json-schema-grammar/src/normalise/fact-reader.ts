import { isArray, isObject, type Json, type JsonObject, type TypeName } from '../terms/json.ts';
import type { EvaluationScope } from './evaluation-scope.ts';
import type {
  ArrayFacts,
  Assertions,
  NumberFacts,
  ObjectFacts,
  SchemaNode,
  StringFacts,
  Unevaluated,
} from './schema-node.ts';

/** Reads the subschema at these keys. */
export type ReadAt = (...steps: readonly string[]) => SchemaNode;

const STRING_KEYWORDS: ReadonlySet<string> = new Set(['pattern', 'format', 'minLength', 'maxLength']);
const NUMBER_KEYWORDS: ReadonlySet<string> = new Set([
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
]);
const ARRAY_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'contains',
]);
const OBJECT_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'required',
  'propertyNames',
  'minProperties',
  'maxProperties',
]);

/** Reads the keywords of one schema that are not choices or references. The document has been validated. */
export function readFacts(schema: JsonObject, at: ReadAt, scope: EvaluationScope): Assertions {
  const keywords = Object.keys(schema);
  // Most schemas use the keywords of one type only.
  const speaksOf = (group: ReadonlySet<string>) => keywords.some((keyword) => group.has(keyword));
  const type = schema.type;
  const types =
    type === undefined ? undefined : new Set((isArray(type) ? type : [type]) as readonly TypeName[]);
  const facts = {
    types,
    values: Object.hasOwn(schema, 'const') ? [schema.const ?? null] : arrayOf(schema.enum),
    string: speaksOf(STRING_KEYWORDS) ? unlessEmpty(readString(schema)) : undefined,
    number: speaksOf(NUMBER_KEYWORDS) ? unlessEmpty(readNumber(schema)) : undefined,
    array: speaksOf(ARRAY_KEYWORDS) ? unlessEmpty(readArray(schema, at, scope)) : undefined,
    object: speaksOf(OBJECT_KEYWORDS) ? unlessEmpty(readObject(schema, at, scope)) : undefined,
  };
  const stated = (unlessEmpty(facts) ?? {}) as Assertions;
  const both = Object.hasOwn(schema, 'const') ? arrayOf(schema.enum) : undefined;
  if (!both || !stated.values) return stated;
  const [only = null] = stated.values;
  return {
    ...stated,
    values: both.some((value) => JSON.stringify(value) === JSON.stringify(only)) ? [only] : [],
  };
}

function readString(schema: JsonObject): Optional<StringFacts> {
  return {
    pattern: textOf(schema.pattern),
    format: textOf(schema.format),
    minLength: numberOf(schema.minLength),
    maxLength: numberOf(schema.maxLength),
  };
}

function readNumber(schema: JsonObject): Optional<NumberFacts> {
  return {
    minimum: bound(schema.minimum, schema.exclusiveMinimum, Math.max),
    maximum: bound(schema.maximum, schema.exclusiveMaximum, Math.min),
    multipleOf: numberOf(schema.multipleOf),
  };
}

/** In draft 4, `exclusive` is a boolean that modifies the limit; later it is a limit of its own, and the tighter one applies. */
function bound(
  limit: Json | undefined,
  exclusive: Json | undefined,
  tighter: (...values: number[]) => number,
) {
  const inclusive = numberOf(limit);
  if (typeof exclusive !== 'number') {
    return inclusive === undefined ? undefined : { value: inclusive, exclusive: exclusive === true };
  }
  const isExclusive = inclusive === undefined || tighter(inclusive, exclusive) === exclusive;
  return { value: isExclusive ? exclusive : inclusive, exclusive: isExclusive };
}

function readArray(schema: JsonObject, at: ReadAt, scope: EvaluationScope): Optional<ArrayFacts> {
  const items = schema.items;
  const prefixKeyword = isArray(schema.prefixItems) ? 'prefixItems' : isArray(items) ? 'items' : undefined;
  const restKeyword = isArray(items) ? 'additionalItems' : 'items';
  const prefix = prefixKeyword && (schema[prefixKeyword] as readonly Json[]);
  return {
    prefix: prefix?.map((_, index) => at(prefixKeyword ?? '', String(index))),
    rest: nodeAt(schema, restKeyword, at),
    unevaluated: unevaluatedAt(nodeAt(schema, 'unevaluatedItems', at), scope),
    minItems: numberOf(schema.minItems),
    maxItems: numberOf(schema.maxItems),
    areUnique: schema.uniqueItems === true ? true : undefined,
    contains: Object.hasOwn(schema, 'contains')
      ? {
          schema: at('contains'),
          min: numberOf(schema.minContains) ?? 1,
          max: numberOf(schema.maxContains) ?? Infinity,
        }
      : undefined,
  };
}

function readObject(schema: JsonObject, at: ReadAt, scope: EvaluationScope): Optional<ObjectFacts> {
  const { properties, patternProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : undefined;
  const patterns = isObject(patternProperties) ? Object.keys(patternProperties) : undefined;
  return {
    properties: names && new Map(names.map((name) => [name, at('properties', name)])),
    patterns: patterns?.map((pattern) => ({ pattern, schema: at('patternProperties', pattern) })),
    additional: nodeAt(schema, 'additionalProperties', at),
    unevaluated: unevaluatedAt(nodeAt(schema, 'unevaluatedProperties', at), scope),
    required: arrayOf(schema.required)?.filter((name) => typeof name === 'string'),
    names: nodeAt(schema, 'propertyNames', at),
    minProperties: numberOf(schema.minProperties),
    maxProperties: numberOf(schema.maxProperties),
  };
}

type Optional<Shape> = { [Key in keyof Shape]: Shape[Key] | undefined };

/** Drops absent keywords; undefined if none is left. */
function unlessEmpty<Shape extends object>(shape: Optional<Shape>): Shape | undefined {
  let present: Partial<Shape> | undefined;
  for (const key in shape) {
    if (shape[key] === undefined) continue;
    present ??= {};
    present[key] = shape[key];
  }
  return present as Shape | undefined;
}

function nodeAt(schema: JsonObject, keyword: string, at: ReadAt): SchemaNode | undefined {
  return Object.hasOwn(schema, keyword) ? at(keyword) : undefined;
}

function unevaluatedAt(schema: SchemaNode | undefined, scope: EvaluationScope): Unevaluated | undefined {
  return schema && { schema, scope };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function arrayOf(value: Json | undefined): readonly Json[] | undefined {
  return isArray(value) ? value : undefined;
}
