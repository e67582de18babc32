import { isArray, type Json, type JsonObject, type TypeName, typeOf } from '../terms/json.ts';
import { listOf, mapOf, type SchemaTree } from './schema-tree.ts';

/** The kinds of values that can say "nothing was found". */
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

/** The types that the keywords of a schema speak of; the grammar of a schema without `type` writes these. */
export function spokenTypes(schema: JsonObject): ReadonlySet<TypeName> {
  return new Set(Object.keys(schema).flatMap((keyword) => SPOKEN.get(keyword) ?? []));
}

/** Says what the answers to schemas can be, as the grammar writes them. */
export class PossibleValues {
  readonly #tree: SchemaTree;

  constructor(tree: SchemaTree) {
    this.#tree = tree;
  }

  /** Whether a value of the kind is possible where all of the schemas hold. */
  allows(schemas: readonly Json[], kind: Kind): boolean {
    return this.#allows(schemas, kind, new Set());
  }

  /** Whether nothing has to be made up: there is null, only one value, an empty array, or an object with its own fields. */
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
    // A choice that leads back to itself adds nothing to what it was asked first.
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
    // Only of null is it known from here what a negation or a condition makes of it.
    if (kind !== 'null') return true;
    if (schema.not !== undefined && can(schema.not)) return false;
    if (schema.if === undefined) return true;
    const branch = can(schema.if) ? schema.then : schema.else;
    return branch === undefined || can(branch);
  }
}

/** Whether one value is the only one possible. */
export function isConstant(schemas: readonly JsonObject[]): boolean {
  return schemas.some((schema) => Object.hasOwn(schema, 'const') || listOf(schema.enum).length === 1);
}

/** A choice is typed by its members: their own keywords have been asked. */
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

/** Named fields are looked at one by one; entries of a map are not. */
function forcesUnnamedKeys(schemas: readonly JsonObject[]): boolean {
  const named = new Set(schemas.flatMap(({ properties }) => Object.keys(mapOf(properties))));
  return schemas.some(({ minProperties }) => typeof minProperties === 'number' && minProperties > named.size);
}
