import { isRecord } from '../../lib/json-record.ts';
import type { SchemaService } from '../../schema/service/schema-service.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import type { ObjectSchema } from '../target-schema.ts';
import { withoutDuplicatesAt } from './without-duplicates.ts';

/** Valid data, or the problems of the model's output. */
export type ValidatedOutput =
  | { readonly data: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** Parses and validates a model's output; duplicates that violate `uniqueItems` are dropped. */
export async function validatedOutput(
  raw: string,
  schema: ObjectSchema,
  { schemas, ...work }: StackWork & { readonly schemas: Pick<SchemaService, 'validate'> },
): Promise<ValidatedOutput> {
  const value = parsed(raw);
  if (!isRecord(value)) return { problem: 'it is no JSON object' };
  const problems = await schemas.validate(schema, value, work);
  const [first] = problems;
  if (first === undefined) return { data: value };
  const problem = `${first.path === '' ? 'it' : first.path} ${first.message}`;
  if (problems.some(({ keyword }) => keyword !== 'uniqueItems')) return { problem };
  // Deepest first: dropping an item of an outer list shifts the inner paths.
  const paths = problems.map(({ path }) => path).toSorted((one, other) => other.length - one.length);
  const repaired = paths.reduce<unknown>(withoutDuplicatesAt, value);
  const isSound = isRecord(repaired) && (await schemas.validate(schema, repaired, work)).length === 0;
  return isSound ? { data: repaired } : { problem };
}

/** Parses the output; some servers wrap it in a code fence. */
function parsed(raw: string): unknown {
  const text = raw.trim().replace(/^```(?:json)?\s*\n?|\n?```$/g, '');
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
