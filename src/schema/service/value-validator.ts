import type { ErrorObject, ValidateFunction } from 'ajv';
import { SchemaRefused } from '../terms/schema-refused.ts';
import type { SchemaValidator } from '../validate-schema.ts';
import type { PatternLibrary } from '../values/pattern-library.ts';
import { BoundedCache } from './bounded-cache.ts';
import { readySchema } from './ready-schema.ts';

/** One way in which a value breaks its schema. */
export interface ValueProblem {
  /** A JSON pointer into the value; empty for the whole. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

/** How many problems of one value are told. */
export const MAX_PROBLEMS = 50;
/** How many schemas stay ready; the generated code of one takes some twenty times its text. */
const VALIDATOR_BOUNDS = { maxEntries: 64, maxBytes: 8 * 2 ** 20 };
const CODE_PER_TEXT = 20;
const BYTES_PER_STATE = 250;

/** Validates values by schemas, and keeps what it made of the latest schemas. */
export class ValueValidator {
  readonly #schemas: SchemaValidator;
  readonly #patterns: PatternLibrary;
  readonly #validators = new BoundedCache<ValidateFunction>(VALIDATOR_BOUNDS);

  constructor(tools: { readonly validator: SchemaValidator; readonly patterns: PatternLibrary }) {
    this.#schemas = tools.validator;
    this.#patterns = tools.patterns;
  }

  /** Everything wrong with a value, up to the bound; throws SchemaRefused for a schema that cannot be used. */
  problems(schemaText: string, value: unknown): readonly ValueProblem[] {
    const validate = this.#validators.get(schemaText) ?? this.#make(schemaText);
    if (isSatisfied(validate, value)) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
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

  #make(schemaText: string): ValidateFunction {
    const schema = this.#schemas.validate(JSON.parse(schemaText));
    const { validate, states } = readySchema(schema, this.#patterns);
    const sizeBytes = CODE_PER_TEXT * schemaText.length + BYTES_PER_STATE * states;
    this.#validators.set(schemaText, validate, sizeBytes);
    return validate;
  }
}

/** A schema that leads to itself without going deeper into the value would be followed until the stack is full. */
function isSatisfied(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message =
      'No answer can be validated by it: it refers to itself without an end, or is nested too deep.';
    throw new SchemaRefused('too-complex', '', message);
  }
}

function problemOf({ instancePath, keyword, message, params }: ErrorObject): ValueProblem {
  const named: unknown = params.additionalProperty ?? params.allowedValues ?? params.allowedValue;
  const detail = named === undefined ? '' : ` (${shortened(JSON.stringify(named))})`;
  return { path: instancePath, keyword, message: `${message ?? 'breaks the schema'}${detail}` };
}

const SHOWN_CHARACTERS = 80;

function shortened(text: string): string {
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`;
}
