import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import type { PatternLibrary } from '../values/pattern-library.ts';
import { type FieldFindings, findFields } from './field-findings.ts';
import { PossibleValues, spokenTypes } from './possible-values.ts';
import { listOf, SchemaTree } from './schema-tree.ts';

/** A change may lead to new findings, such as a choice that has become possible. */
const MAX_ROUNDS = 6;
const NULL: JsonObject = { type: 'null' };

/** The schema with every field required, and nullable if it may be missing; undefined if findings remain. */
export function repairSchema(
  tree: SchemaTree,
  findings: FieldFindings,
  patterns: PatternLibrary,
): Json | undefined {
  let current = { tree, findings };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!hasFindings(current.findings)) return current.tree.root;
    const changed = new SchemaTree(new Repair(current.tree, current.findings).apply(current.tree.root));
    current = { tree: changed, findings: findFields(changed, patterns) };
  }
  return hasFindings(current.findings) ? undefined : current.tree.root;
}

function hasFindings({ mayBeInvented, mayVanish }: FieldFindings): boolean {
  return mayBeInvented.length + mayVanish.length > 0;
}

class Repair {
  readonly #findings: FieldFindings;
  readonly #values: PossibleValues;

  constructor(tree: SchemaTree, findings: FieldFindings) {
    this.#findings = findings;
    this.#values = new PossibleValues(tree);
  }

  /** Visits every value, not only known keywords: a reference may point anywhere. */
  apply(schema: Json): Json {
    if (isArray(schema)) return schema.map((item) => this.apply(item));
    if (!isObject(schema)) return schema;
    const { toRequire, toMakeNullable } = this.#findings;
    const inside = Object.fromEntries(
      Object.entries(schema).map(([key, member]) => [key, this.apply(member)]),
    );
    const names = toRequire.get(schema);
    const required = names ? withRequired(inside, names) : inside;
    return toMakeNullable.has(schema) ? this.#nullable(schema, required) : required;
  }

  /** Adds null to the schema itself if possible, so that references into it stay valid. */
  #nullable(original: JsonObject, schema: JsonObject): JsonObject {
    if (isInvolved(schema)) return wrapped(schema);
    const { const: only, ...rest } = schema;
    const values = Object.hasOwn(schema, 'const') ? [only ?? null] : listOf(schema.enum);
    return {
      ...(Object.hasOwn(schema, 'const') ? rest : schema),
      ...typeWithNull(schema),
      ...(values.length > 0 && { enum: values.includes(null) ? values : [...values, null] }),
      ...this.#choiceWithNull(original, schema, 'anyOf'),
      ...this.#choiceWithNull(original, schema, 'oneOf'),
    };
  }

  #choiceWithNull(original: JsonObject, schema: JsonObject, keyword: 'anyOf' | 'oneOf'): JsonObject {
    const members = listOf(original[keyword]);
    if (members.length === 0 || members.some((member) => this.#values.allows([member], 'null'))) return {};
    return { [keyword]: [...listOf(schema[keyword]), NULL] };
  }
}

/** Whether keywords other than `type` and `enum` may exclude null, so that the schema must be wrapped. */
function isInvolved(schema: JsonObject): boolean {
  const keywords = ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'not', 'if'];
  if (keywords.some((keyword) => Object.hasOwn(schema, keyword))) return true;
  const isChoice = Object.hasOwn(schema, 'anyOf') || Object.hasOwn(schema, 'oneOf');
  return isChoice && !Object.hasOwn(schema, 'type') && spokenTypes(schema).size > 0;
}

function wrapped(schema: JsonObject): JsonObject {
  const { title, description, ...rest } = schema;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [rest, NULL],
  };
}

function typeWithNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  const types = type === undefined ? [...spokenTypes(schema)] : isArray(type) ? type : [type];
  return types.length === 0 || types.includes('null') ? {} : { type: [...types, 'null'] };
}

function withRequired(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const required = [...listOf(schema.required), ...names];
  const { maxProperties } = schema;
  const isTight = typeof maxProperties === 'number' && maxProperties < required.length;
  return { ...schema, required, ...(isTight && { maxProperties: required.length }) };
}
