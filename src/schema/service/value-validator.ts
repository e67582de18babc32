import {
  createValueChecker,
  type PatternLibrary,
  type SchemaValidator,
  type ValueChecker,
  type ValueProblem,
} from '@stackgate/json-schema-grammar';
import { BoundedCache } from './bounded-cache.ts';

/** How many problems of one value are reported. */
export const MAX_PROBLEMS = 50;
/** Bounds of the cached checkers; generated code is about twenty times as large as its schema. */
const VALIDATOR_BOUNDS = { maxEntries: 64, maxBytes: 8 * 2 ** 20 };
const CODE_PER_TEXT = 20;
const BYTES_PER_STATE = 250;

/** Validates values; caches the checkers of recent schemas. */
export class ValueValidator {
  readonly #tools: { readonly validator: SchemaValidator; readonly patterns: PatternLibrary };
  readonly #checkers = new BoundedCache<ValueChecker>(VALIDATOR_BOUNDS);

  constructor(tools: { readonly validator: SchemaValidator; readonly patterns: PatternLibrary }) {
    this.#tools = tools;
  }

  /** The problems of a value, up to a bound; throws SchemaRefused if the schema cannot be used. */
  problems(schemaText: string, value: unknown): readonly ValueProblem[] {
    const checker = this.#checkers.get(schemaText) ?? this.#make(schemaText);
    return checker.problems(value, MAX_PROBLEMS);
  }

  /** The keyword that a text violates, or `json` if it is not JSON; undefined if it satisfies the schema. */
  breach(schemaText: string, text: string): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return 'json';
    }
    return this.problems(schemaText, value)[0]?.keyword;
  }

  #make(schemaText: string): ValueChecker {
    const checker = createValueChecker(JSON.parse(schemaText), this.#tools);
    const sizeBytes = CODE_PER_TEXT * schemaText.length + BYTES_PER_STATE * checker.states;
    this.#checkers.set(schemaText, checker, sizeBytes);
    return checker;
  }
}
