import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import type { PatternMatcher } from './automata/pattern-matcher.ts';
import { mapSubschemas } from './subschemas.ts';
import { isObject, type Json } from './terms/json.ts';
import { SchemaRefused } from './terms/schema-refused.ts';
import { createAjv, draftOf, SchemaValidator } from './validate-schema.ts';
import { PatternLibrary } from './values/pattern-library.ts';

/** Options of `createValueChecker`; pass the same objects to many calls. */
export interface ValueCheckerOptions {
  readonly validator?: SchemaValidator;
  readonly patterns?: PatternLibrary;
}

/** Checks values against one schema. */
export interface ValueChecker {
  /** Total states of its patterns, a measure of its memory use. */
  readonly states: number;
  /** Up to `most` problems of a value; none if it satisfies the schema. Throws SchemaRefused if the schema recurses without end. */
  problems(value: unknown, most?: number): readonly ValueProblem[];
}

/** A violation of the schema. */
export interface ValueProblem {
  /** A JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

const DEFAULT_PROBLEMS = 50;

interface ReadySchema {
  readonly validate: ValidateFunction;
  readonly states: number;
}

/** Creates a checker for a schema; throws SchemaRefused if the schema cannot be used. */
export function createValueChecker(schema: unknown, options: ValueCheckerOptions = {}): ValueChecker {
  const document = (options.validator ?? new SchemaValidator()).validate(schema);
  const { validate, states } = readySchema(document, options.patterns ?? new PatternLibrary());
  return {
    states,
    problems: (value, most = DEFAULT_PROBLEMS) =>
      isSatisfied(validate, value) ? [] : (validate.errors ?? []).slice(0, most).map(problemOf),
  };
}

/** A schema that refers to itself without descending into the value overflows the stack. */
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

/** Compiles a valid schema with Ajv. */
function readySchema(schema: Json, patterns: PatternLibrary): ReadySchema {
  const compile = (ids: 'ids-kept' | 'ids-dropped') =>
    attempt(() => compiled(modernised(schema, ids), patterns));
  const withIds = compile('ids-kept');
  if (!(withIds instanceof Error)) return withIds;
  // Ajv rejects repeated ids, which generated schemas contain but do not refer to.
  const withoutIds = compile('ids-dropped');
  if (!(withoutIds instanceof Error)) return withoutIds;
  const reason = 'missingRef' in withIds ? 'remote-reference' : 'invalid';
  throw new SchemaRefused(reason, '', `The schema cannot be used for validation: ${withIds.message}.`);
}

function compiled(modern: Json, patterns: PatternLibrary): ReadySchema {
  // One Ajv instance per schema: ids would clash in a shared one. The schema has been validated already.
  let states = 0;
  const regExp = linearRegExp((pattern) => {
    const matcher = patterns.matcher(pattern);
    states += matcher.states;
    return matcher;
  });
  const ajv = createAjv(draftOf(modern), { allErrors: true, validateSchema: false, code: { regExp } });
  return { validate: ajv.compile(modern as object), states };
}

function attempt(compile: () => ReadySchema): ReadySchema | Error {
  try {
    return compile();
  } catch (error) {
    if (error instanceof Error && !(error instanceof SchemaRefused)) return error;
    throw error;
  }
}

type RegExpEngine = NonNullable<NonNullable<Options['code']>['regExp']>;

/** Replaces RegExp, whose backtracking untrusted patterns could exploit. Ajv identifies patterns by `toString`. */
function linearRegExp(matcherOf: (pattern: string) => PatternMatcher): RegExpEngine {
  const engine = (pattern: string) => {
    const matcher = matcherOf(pattern);
    return { test: (text: string) => matcher.test(text), toString: () => pattern };
  };
  return Object.assign(engine, { code: 'new RegExp' });
}

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Converts draft 4 keywords (`id`, `exclusiveMinimum: true`) to those that Ajv supports. */
function modernised(schema: Json, ids: 'ids-kept' | 'ids-dropped'): Json {
  if (!isObject(schema)) return schema;
  const { id, $id = id, ...rest } = mapSubschemas(schema, (inner) => modernised(inner, ids));
  const modern: Record<string, Json> = { ...rest };
  if (ids === 'ids-kept' && typeof $id === 'string') modern.$id = $id;
  for (const [limit, exclusive] of LIMITS) {
    if (typeof modern[exclusive] !== 'boolean') continue;
    if (modern[exclusive] && modern[limit] !== undefined) modern[exclusive] = modern[limit];
    else delete modern[exclusive];
  }
  return modern;
}
