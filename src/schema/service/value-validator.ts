import type { ErrorObject, ValidateFunction } from 'ajv';
import { mapSubschemas } from '../subschemas.ts';
import { isObject, type Json } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import { createAjv, draftOf, type SchemaValidator } from '../validate-schema.ts';
import { BoundedCache } from './bounded-cache.ts';

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

/** Validates values by schemas, and keeps what it made of the latest schemas. */
export class ValueValidator {
  readonly #schemas: SchemaValidator;
  readonly #validators = new BoundedCache<ValidateFunction>(VALIDATOR_BOUNDS);

  constructor(schemas: SchemaValidator) {
    this.#schemas = schemas;
  }

  /** Everything wrong with a value, up to the bound; throws SchemaRefused for a schema that cannot be used. */
  problems(schemaText: string, value: unknown): readonly ValueProblem[] {
    const validate = this.#validators.get(schemaText) ?? this.#make(schemaText);
    if (validate(value) === true) return [];
    return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(problemOf);
  }

  #make(schemaText: string): ValidateFunction {
    const schema = this.#schemas.validate(JSON.parse(schemaText));
    // One for each schema: ids would meet in a shared one. Checked above, so not again.
    const ajv = createAjv(draftOf(schema), { allErrors: true, validateSchema: false });
    const validate = compiled(() => ajv.compile(asModern(schema) as object));
    this.#validators.set(schemaText, validate, CODE_PER_TEXT * schemaText.length);
    return validate;
  }
}

function compiled(compile: () => ValidateFunction): ValidateFunction {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isReference = 'missingRef' in error;
    const message = `The schema cannot be used for validation: ${error.message}.`;
    throw new SchemaRefused(isReference ? 'remote-reference' : 'invalid', '', message);
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

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Draft 4 writes `exclusiveMinimum: true` beside the limit; Ajv knows the later way only. */
function asModern(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const modern: Record<string, Json> = { ...mapSubschemas(schema, asModern) };
  for (const [limit, exclusive] of LIMITS) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    if (modern[exclusive] && modern[limit] !== undefined) modern[exclusive] = modern[limit];
    else delete modern[exclusive];
  }
  return modern;
}
