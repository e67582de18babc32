import { SchemaDocument } from '../normalise/schema-document.ts';
import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
type ReferenceKeyword = (typeof REFERENCE_KEYWORDS)[number];

/** A referenced schema and its path. */
export interface Target {
  readonly schema: Json;
  readonly path: string;
}

/** A compiled schema document whose references can be followed. */
export class SchemaTree {
  readonly root: Json;
  readonly #document: SchemaDocument;

  constructor(root: Json) {
    this.root = root;
    this.#document = new SchemaDocument(root);
  }

  /** The schemas that a schema references. */
  targets(schema: JsonObject): readonly Target[] {
    return REFERENCE_KEYWORDS.flatMap((keyword) => {
      const reference = schema[keyword];
      return typeof reference === 'string' ? this.#resolve(keyword, reference, schema) : [];
    });
  }

  /**
   * All schemas that apply to one value: the given ones, and those included by reference or `allOf`.
   * Boolean schemas are dropped; the caller checks for `false`.
   */
  conjunction(schemas: readonly Json[]): ReadonlySet<JsonObject> {
    const found = new Set<JsonObject>(schemas.filter((schema) => isObject(schema)));
    // Iterating a set also visits elements added meanwhile, each once, so recursion ends.
    for (const schema of found) {
      const included = [...this.targets(schema).map((target) => target.schema), ...listOf(schema.allOf)];
      for (const other of included) if (isObject(other)) found.add(other);
    }
    return found;
  }

  // Ignores broken references: the compiler has reported those it needed.
  #resolve(keyword: ReferenceKeyword, reference: string, from: JsonObject): readonly Target[] {
    try {
      return [this.#document.resolve({ uri: reference, keyword, from, path: '' })];
    } catch (error) {
      if (error instanceof SchemaRefused) return [];
      throw error;
    }
  }
}

/** The value as a list; empty if it is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** The value as an object; empty if it is none. */
export function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The strings in a list. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
