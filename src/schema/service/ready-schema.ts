import type { Options, ValidateFunction } from 'ajv';
import type { PatternMatcher } from '../automata/pattern-matcher.ts';
import { mapSubschemas } from '../subschemas.ts';
import { isObject, type Json } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import { createAjv, draftOf } from '../validate-schema.ts';
import type { PatternLibrary } from '../values/pattern-library.ts';

/** A schema made ready for values. */
export interface ReadySchema {
  readonly validate: ValidateFunction;
  /** How many states its patterns have together. */
  readonly states: number;
}

/** What Ajv makes of a schema that is valid; throws SchemaRefused where Ajv cannot use it. */
export function readySchema(schema: Json, patterns: PatternLibrary): ReadySchema {
  const compile = (ids: 'ids-kept' | 'ids-dropped') =>
    attempt(() => compiled(modernised(schema, ids), patterns));
  const withIds = compile('ids-kept');
  if (!(withIds instanceof Error)) return withIds;
  // Generated schemas repeat ids that nothing refers to, which Ajv refuses; without them it needs none.
  const withoutIds = compile('ids-dropped');
  if (!(withoutIds instanceof Error)) return withoutIds;
  const reason = 'missingRef' in withIds ? 'remote-reference' : 'invalid';
  throw new SchemaRefused(reason, '', `The schema cannot be used for validation: ${withIds.message}.`);
}

function compiled(modern: Json, patterns: PatternLibrary): ReadySchema {
  // One for each schema: ids would meet in a shared one. The schema was checked before.
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

/** In place of the RegExp, which patterns of callers could keep busy for years. Ajv tells patterns apart by their texts. */
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

/** Draft 4 writes `id`, and `exclusiveMinimum: true` beside the limit; Ajv knows the later ways only. */
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
