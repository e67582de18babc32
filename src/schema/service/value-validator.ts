import {
  createValueChecker,
  type PatternLibrary,
  type SchemaValidator,
  type ValueChecker,
  type ValueProblem,
} from '@stackgate/json-schema-grammar';
import { BoundedCache } from './bounded-cache.ts';

/** How many problems of one value are told. */
export const MAX_PROBLEMS = 50;
/** How many schemas stay ready; the generated code of one takes some twenty times its text. */
const VALIDATOR_BOUNDS = { maxEntries: 64, maxBytes: 8 * 2 ** 20 };
const CODE_PER_TEXT = 20;
const BYTES_PER_STATE = 250;

/** Validates values by schemas, and keeps what it made of the latest schemas. */
export class ValueValidator {
  readonly #tools: { readonly validator: SchemaValidator; readonly patterns: PatternLibrary };
  readonly #checkers = new BoundedCache<ValueChecker>(VALIDATOR_BOUNDS);

  constructor(tools: { readonly validator: SchemaValidator; readonly patterns: PatternLibrary }) {
    this.#tools = tools;
  }

  /** Everything wrong with a value, up to the bound; throws SchemaRefused for a schema that cannot be used. */
  problems(schemaText: string, value: unknown): readonly ValueProblem[] {
    const checker = this.#checkers.get(schemaText) ?? this.#make(schemaText);
    return checker.problems(value, MAX_PROBLEMS);
  }

  /** The keyword that a text breaks, `json` where it is none; `undefined` where it satisfies the schema. */
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
