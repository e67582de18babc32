import { SchemaDocument } from '../normalise/schema-document.ts';
import { isArray, isObject, type Json, type JsonObject } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';

const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
type ReferenceKeyword = (typeof REFERENCE_KEYWORDS)[number];

/** A schema that a reference leads to, and where it stands. */
export interface Target {
  readonly schema: Json;
  readonly path: string;
}

/** A schema document whose references can be followed; the compiler has accepted it. */
export class SchemaTree {
  readonly root: Json;
  readonly #document: SchemaDocument;

  constructor(root: Json) {
    this.root = root;
    this.#document = new SchemaDocument(root);
  }

  /** What the references of a schema lead to. */
  targets(schema: JsonObject): readonly Target[] {
    return REFERENCE_KEYWORDS.flatMap((keyword) => {
      const reference = schema[keyword];
      return typeof reference === 'string' ? this.#resolve(keyword, reference, schema) : [];
    });
  }

  /**
   * The schemas that hold together for one value: each given one, with what its references and allOf include.
   * Schemas that are `true` say nothing; `false` is left to whoever asks.
   */
  conjunction(schemas: readonly Json[]): ReadonlySet<JsonObject> {
    const found = new Set<JsonObject>(schemas.filter((schema) => isObject(schema)));
    // A set is walked with what is added meanwhile, and holds each schema once: recursion ends.
    for (const schema of found) {
      const included = [...this.targets(schema).map((target) => target.schema), ...listOf(schema.allOf)];
      for (const other of included) if (isObject(other)) found.add(other);
    }
    return found;
  }

  // A broken reference in a place that the compiler had no need of is no news here.
  #resolve(keyword: ReferenceKeyword, reference: string, from: JsonObject): readonly Target[] {
    try {
      return [this.#document.resolve({ uri: reference, keyword, from, path: '' })];
    } catch (error) {
      if (error instanceof SchemaRefused) return [];
      throw error;
    }
  }
}

/** The members of a keyword that holds a list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}

/** The members of a keyword that holds a map. */
export function mapOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Those members of a list that are texts. */
export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}
