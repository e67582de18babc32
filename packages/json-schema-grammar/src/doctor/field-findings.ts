import { escapeKey } from '../normalise/schema-document.ts';
import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import type { PatternLibrary } from '../values/pattern-library.ts';
import { isConstant, PossibleValues } from './possible-values.ts';
import { listOf, mapOf, type SchemaTree } from './schema-tree.ts';
import { type ValueCase, ValueCases } from './value-cases.ts';

/** Problems to expect with the fields of answers, and the schema changes that prevent them. */
export interface FieldFindings {
  /** Required fields that cannot express "not found"; as paths into the answer. */
  readonly mayBeInvented: readonly string[];
  /** Fields that may be left out. */
  readonly mayVanish: readonly string[];
  /** Names to add to `required`, by schema. */
  readonly toRequire: ReadonlyMap<JsonObject, ReadonlySet<string>>;
  /** Schemas that should allow null. */
  readonly toMakeNullable: ReadonlySet<JsonObject>;
}

/** Up to this many positions, a schema is visited at every path; above it, once. */
const MAX_PATHS = 5_000;
const MAX_POSITIONS = 50_000;

/** Examines every field that an answer can have, including nested ones. */
export function findFields(tree: SchemaTree, patterns: PatternLibrary): FieldFindings {
  const walk = new FieldWalk(tree, patterns);
  walk.visit([tree.root], '');
  return walk.findings();
}

class FieldWalk {
  readonly #tree: SchemaTree;
  readonly #patterns: PatternLibrary;
  readonly #values: PossibleValues;
  readonly #cases: ValueCases;
  readonly #invented = new Set<string>();
  readonly #vanishing = new Set<string>();
  readonly #toRequire = new Map<JsonObject, Set<string>>();
  readonly #toMakeNullable = new Set<JsonObject>();
  readonly #ids = new Map<JsonObject, number>();
  readonly #open = new Set<string>();
  readonly #seen = new Set<string>();
  #positions = 0;

  constructor(tree: SchemaTree, patterns: PatternLibrary) {
    this.#tree = tree;
    this.#patterns = patterns;
    this.#values = new PossibleValues(tree);
    this.#cases = new ValueCases(tree, this.#values);
  }

  findings(): FieldFindings {
    return {
      mayBeInvented: [...this.#invented],
      mayVanish: [...this.#vanishing],
      toRequire: this.#toRequire,
      toMakeNullable: this.#toMakeNullable,
    };
  }

  visit(schemas: readonly Json[], path: string): void {
    const key = this.#keyOf(schemas);
    this.#positions += 1;
    if (this.#positions > MAX_POSITIONS) {
      throw new SchemaRefused(
        'too-complex',
        '',
        `The answers have more than ${MAX_POSITIONS} places for fields.`,
      );
    }
    const isKnown = this.#positions > MAX_PATHS && this.#seen.has(key);
    if (key === '' || this.#open.has(key) || isKnown) return;
    this.#seen.add(key);
    this.#open.add(key);
    for (const one of this.#cases.casesOf(schemas)) {
      const all = [...one.schemas];
      if (this.#values.allows(all, 'object')) this.#visitFields(one, path);
      if (this.#values.allows(all, 'array')) this.#visitItems(all, path);
    }
    this.#open.delete(key);
  }

  #visitFields(one: ValueCase, path: string): void {
    const all = [...one.schemas];
    const named = new Set(all.flatMap(({ properties }) => Object.keys(mapOf(properties))));
    for (const name of new Set([...named, ...one.required])) this.#visitField(name, one, path);
    const entries = all.flatMap((schema) => [
      schema.additionalProperties ?? true,
      schema.unevaluatedProperties ?? true,
      ...Object.values(mapOf(schema.patternProperties)),
    ]);
    for (const entry of entries) if (isObject(entry)) this.visit([entry], `${path}/*`);
  }

  #visitField(name: string, one: ValueCase, path: string): void {
    const schemas = [...one.schemas].flatMap((owner) => this.#schemasOfField(owner, name));
    // `false` forbids the field.
    if (schemas.includes(false)) return;
    const fieldPath = `${path}/${escapeKey(name)}`;
    if (!one.required.has(name)) {
      this.#vanishing.add(fieldPath);
      this.#require(name, one);
      this.#makeNullable(schemas, one);
    } else if (!this.#values.canSayNothing(schemas)) {
      this.#invented.add(fieldPath);
      this.#makeNullable(schemas, one);
    }
    this.visit(schemas, fieldPath);
  }

  /** The schemas that one owner applies to a field: by name, by pattern, or `additionalProperties`. */
  #schemasOfField(owner: JsonObject, name: string): readonly Json[] {
    const named = mapOf(owner.properties);
    const own = Object.hasOwn(named, name) ? [named[name] ?? true] : [];
    const patterned = Object.entries(mapOf(owner.patternProperties))
      .filter(([pattern]) => this.#patterns.matches(pattern, name))
      .map(([, schema]) => schema);
    const described = [...own, ...patterned];
    return described.length === 0 && owner.additionalProperties !== undefined
      ? [owner.additionalProperties]
      : described;
  }

  #require(name: string, one: ValueCase): void {
    for (const owner of one.schemas) {
      if (!Object.hasOwn(mapOf(owner.properties), name)) continue;
      this.#toRequire.set(owner, (this.#toRequire.get(owner) ?? new Set<string>()).add(name));
      return;
    }
  }

  #makeNullable(schemas: readonly Json[], one: ValueCase): void {
    if (this.#values.allows(schemas, 'null')) return;
    for (const schema of schemas) {
      if (!isObject(schema) || this.#values.allows([schema], 'null')) continue;
      // A constant in an alternative is its discriminator.
      const tells = isConstant([schema]) && [...one.chosen].some((owner) => holds(owner, schema));
      if (!tells) this.#toMakeNullable.add(schema);
    }
  }

  #visitItems(all: readonly JsonObject[], path: string): void {
    for (const schema of all) {
      const tuple = isArray(schema.items) ? schema.items : listOf(schema.prefixItems);
      tuple.forEach((item, index) => {
        this.visit([item], `${path}/${index}`);
      });
      const rest = isArray(schema.items) ? schema.additionalItems : schema.items;
      for (const item of [rest, schema.unevaluatedItems]) {
        if (isObject(item)) this.visit([item], `${path}/*`);
      }
    }
  }

  /** A key for a conjunction of schemas, independent of references; empty if they have no keywords of their own. */
  #keyOf(schemas: readonly Json[]): string {
    const all = [...this.#tree.conjunction(schemas)];
    const ids = all.filter((schema) => !isMereReference(schema)).map((schema) => this.#idOf(schema));
    return ids.sort((left, right) => left - right).join(' ');
  }

  #idOf(schema: JsonObject): number {
    const known = this.#ids.get(schema);
    if (known !== undefined) return known;
    this.#ids.set(schema, this.#ids.size);
    return this.#ids.size - 1;
  }
}

function isMereReference(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => /^(\$\w*[rR]ef|title|description)$/.test(keyword));
}

function holds(owner: JsonObject, schema: JsonObject): boolean {
  return Object.values(mapOf(owner.properties)).includes(schema);
}
