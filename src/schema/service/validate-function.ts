import type { Options, ValidateFunction } from 'ajv';
import { mapSubschemas } from '../subschemas.ts';
import { isObject, type Json } from '../terms/json.ts';
import { SchemaRefused } from '../terms/schema-refused.ts';
import { createAjv, type Draft, draftOf } from '../validate-schema.ts';

/** What Ajv makes of a schema that is valid; throws SchemaRefused where Ajv cannot use it. */
export function validateFunctionOf(schema: Json): ValidateFunction {
  const draft = draftOf(schema);
  const withIds = attempt(() => compiled(modernised(schema, 'ids-kept'), draft));
  if (!(withIds instanceof Error)) return withIds;
  // Generated schemas repeat ids that nothing refers to, which Ajv refuses; without them it needs none.
  const withoutIds = attempt(() => compiled(modernised(schema, 'ids-dropped'), draft));
  if (!(withoutIds instanceof Error)) return withoutIds;
  const reason = 'missingRef' in withIds ? 'remote-reference' : 'invalid';
  throw new SchemaRefused(reason, '', `The schema cannot be used for validation: ${withIds.message}.`);
}

function compiled(modern: Json, draft: Draft): ValidateFunction {
  // One for each schema: ids would meet in a shared one. The schema was checked before.
  const ajv = createAjv(draft, { allErrors: true, validateSchema: false, code: { regExp } });
  return ajv.compile(modern as object);
}

function attempt(compile: () => ValidateFunction): ValidateFunction | Error {
  try {
    return compile();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

/** As the compiler reads patterns: those that unicode mode refuses, such as `\-`, are read without it. */
const regExp: NonNullable<NonNullable<Options['code']>['regExp']> = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

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
