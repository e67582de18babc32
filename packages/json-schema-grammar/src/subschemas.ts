import { isArray, isObject, type Json, type JsonObject } from './terms/json.ts';

const SINGLE_KEYWORDS: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);

/** A subschema and the keys that lead to it. */
export interface Subschema {
  readonly steps: readonly string[];
  readonly schema: Json;
}

/** The direct subschemas of a schema. */
export function subschemasOf(schema: JsonObject): readonly Subschema[] {
  return Object.entries(schema).flatMap(([keyword, member]): readonly Subschema[] => {
    if (LIST_KEYWORDS.has(keyword) && isArray(member)) {
      return member.map((item, index) => ({ steps: [keyword, String(index)], schema: item }));
    }
    if (SINGLE_KEYWORDS.has(keyword)) return [{ steps: [keyword], schema: member }];
    if (!MAP_KEYWORDS.has(keyword) || !isObject(member)) return [];
    return Object.entries(member)
      .filter(([, item]) => !isArray(item))
      .map(([name, item]) => ({ steps: [keyword, name], schema: item }));
  });
}

/** A copy of the schema with its direct subschemas replaced. */
export function mapSubschemas(schema: JsonObject, change: (inner: Json) => Json): JsonObject {
  const entries = Object.entries(schema).map(([keyword, member]): [string, Json] => {
    if (LIST_KEYWORDS.has(keyword) && isArray(member)) return [keyword, member.map(change)];
    if (SINGLE_KEYWORDS.has(keyword)) return [keyword, change(member)];
    if (!MAP_KEYWORDS.has(keyword) || !isObject(member)) return [keyword, member];
    // Members of `dependencies` may be lists of names.
    const changed = Object.entries(member).map(([name, item]) => [name, isArray(item) ? item : change(item)]);
    return [keyword, Object.fromEntries(changed)];
  });
  return Object.fromEntries(entries);
}
