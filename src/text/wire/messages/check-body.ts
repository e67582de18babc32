import type { ZodType } from 'zod';
import { Fault } from '../../../faults/fault.ts';
import { isJsonObject } from './json-object.ts';

const MAX_QUOTED_CHARACTERS = 40;

/** The body as it came, known to follow the schema; throws the fault that names the first field which does not. */
export function checkBody<T>(schema: ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  // Not the schema's copy, whose members may stand in another order than the client's.
  if (result.success) return body as T;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  const field = fieldName(path);
  const subject = field === '' ? 'The body' : `\`${field}\``;
  const rule = issue?.message ?? 'is not valid';
  throw new Fault(
    'invalid-request',
    `${subject} ${rule}, got ${described(valueAt(body, path))}.`,
    field === '' ? {} : { param: field },
  );
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, body);
}

function described(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isJsonObject(value)) return 'an object';
  if (typeof value === 'string' && value.length > MAX_QUOTED_CHARACTERS) return 'a long string';
  return JSON.stringify(value);
}
