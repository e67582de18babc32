import { isArray, type Json, type JsonObject, type TypeName, typeOf } from '../terms/json.ts';
import { listOf, mapOf, type SchemaTree } from './schema-tree.ts';

/** The kinds of values that can express "not found". */
export type Kind = 'null' | 'array' | 'object';

const SPOKEN: ReadonlyMap<string, TypeName> = new Map([
  ...keywordsOf('string', 'minLength maxLength pattern format'),
  ...keywordsOf('number', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...keywordsOf('array', 'items prefixItems contains minItems maxItems uniqueItems unevaluatedItems'),
  ...keywordsOf(
    'object',
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties',
  ),
]);

function keywordsOf(type: TypeName, keywords: string): readonly (readonly [string, TypeName])[] {
  return keywords.split(' ').map((keyword) => [keyword, type] as const);
}

/** The types that a schema's keywords apply to. Without `type`, the grammar writes only these. */
export function spokenTypes(schema: JsonObject): ReadonlySet<TypeName> {
  return new Set(Object.keys(schema).flatMap((keyword) => SPOKEN.get(keyword) ?? []));
}

/** Determines the kinds of values that the grammar of a schema can write. */
export class PossibleValues {
  readonly #tree: SchemaTree;

  constructor(tree: SchemaTree) {
    this.#tree = tree;
  }

  /** Whether a value of the kind can satisfy all of the schemas. */
  allows(schemas: readonly Json[], kind: Kind): boolean {
    return this.#allows(schemas, kind, new Set());
  }

  /** Whether a model can answer without inventing: null, a constant, an empty array, or an object, whose fields are examined separately. */
  canSayNothing(schemas: readonly Json[]): boolean {
    if (schemas.includes(false)) return true;
    const all = [...this.#tree.conjunction(schemas)];
    if (this.allows(schemas, 'null') || isConstant(all)) return true;
    if (this.allows(schemas, 'array') && !all.some(forcesItems)) return true;
    return this.allows(schemas, 'object') && !forcesUnnamedKeys(all);
  }

  #allows(schemas: readonly Json[], kind: Kind, asked: ReadonlySet<JsonObject>): boolean {
    if (schemas.includes(false)) return false;
    const all = [...this.#tree.conjunction(schemas)];
    // Already being examined: a recursive choice adds nothing.
    const fresh = all.filter((schema) => !asked.has(schema));
    const now = new Set([...asked, ...all]);
    if (!all.every((schema) => statesKind(schema, kind))) return false;
    if (!fresh.every((schema) => this.#choicesAllow(schema, kind, now))) return false;
    const spoken = new Set(all.flatMap((schema) => [...spokenTypes(schema)]));
    return all.some(isTyped) || spoken.size === 0 || spoken.has(kind);
  }

  #choicesAllow(schema: JsonObject, kind: Kind, asked: ReadonlySet<JsonObject>): boolean {
    const can = (inner: Json) => this.#allows([inner], kind, asked);
    for (const keyword of ['anyOf', 'oneOf']) {
      const members = listOf(schema[keyword]);
      if (members.length > 0 && !members.some(can)) return false;
    }
    // `not` and `if` can be decided here for null only.
    if (kind !== 'null') return true;
    if (schema.not !== undefined && can(schema.not)) return false;
    if (schema.if === undefined) return true;
    const branch = can(schema.if) ? schema.then : schema.else;
    return branch === undefined || can(branch);
  }
}

/** Whether only one value is possible. */
export function isConstant(schemas: readonly JsonObject[]): boolean {
  return schemas.some((schema) => Object.hasOwn(schema, 'const') || listOf(schema.enum).length === 1);
}

/** A choice counts as typed: its members were examined separately. */
function isTyped(schema: JsonObject): boolean {
  return ['type', 'enum', 'const', 'anyOf', 'oneOf'].some((keyword) => Object.hasOwn(schema, keyword));
}

function statesKind(schema: JsonObject, kind: Kind): boolean {
  const { type, enum: listed } = schema;
  const types = isArray(type) ? type : [type];
  if (type !== undefined && !types.includes(kind)) return false;
  const values = Object.hasOwn(schema, 'const') ? [schema.const ?? null] : listed;
  return !isArray(values) || values.some((value) => typeOf(value) === kind);
}

function forcesItems({ minItems, contains, minContains }: JsonObject): boolean {
  return (typeof minItems === 'number' && minItems > 0) || (contains !== undefined && minContains !== 0);
}

/** Whether `minProperties` exceeds the named properties, which are examined one by one. */
function forcesUnnamedKeys(schemas: readonly JsonObject[]): boolean {
  const named = new Set(schemas.flatMap(({ properties }) => Object.keys(mapOf(properties))));
  return schemas.some(({ minProperties }) => typeof minProperties === 'number' && minProperties > named.size);
}
