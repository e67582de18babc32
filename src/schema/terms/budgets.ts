import { SchemaRefused } from './schema-refused.ts';

/** How far a grammar reaches where the schema sets no end, so that generation always ends. */
export interface Caps {
  readonly stringLength: number;
  /** For a text with a pattern, where every character costs as many rules as the pattern has states. */
  readonly patternLength: number;
  readonly items: number;
  readonly openProperties: number;
}

/** llama.cpp refuses a repetition above this. */
export const MAX_REPETITION = 2_000;

export const DEFAULT_CAPS: Caps = {
  stringLength: MAX_REPETITION,
  patternLength: 200,
  items: 1_000,
  openProperties: 200,
};

/** How many rules a grammar may have. */
export const MAX_RULES = 60_000;
/** How many ways of combining anyOf, oneOf, not and if are followed for one value. */
export const MAX_LEAVES = 200;
export const MAX_EXPANSIONS = 1_500;
/** How many alternatives a negation may have. */
export const MAX_NEGATION = 64;
/** How deep a schema may nest. */
export const MAX_DEPTH = 400;
/** How many states an array or object may be counted through. */
export const MAX_COUNTING_STATES = 8_000;
/** How many values of an enum are kept apart by uniqueItems: their subsets are states. */
export const MAX_UNIQUE_VALUES = 7;
/** How many kinds of keys are told apart by the patternProperties that they match. */
export const MAX_KEY_CLASSES = 32;

/** The time one compilation may take; asked often, it throws when the time is over. */
export class Deadline {
  readonly #end: number;
  readonly #now: () => number;

  constructor(milliseconds: number, now: () => number) {
    this.#now = now;
    this.#end = now() + milliseconds;
  }

  check(): void {
    if (this.#now() <= this.#end) return;
    throw new SchemaRefused('too-complex', '', 'The schema takes too long to compile; simplify it.');
  }
}
