import type { ZodType } from 'zod';
import { Fault } from '../../../faults/fault.ts';
import { isJsonObject } from './json-object.ts';
import {
  blocksRule,
  countFieldsSchema,
  listItemSchemas,
  type MessagesRequest,
  type PromptFields,
  requestFieldsSchema,
} from './messages-request-schema.ts';

/** Where something stands in a body. */
export type Place = readonly PropertyKey[];

const MAX_QUOTED_CHARACTERS = 40;

/** The body of a messages request as it came, known to follow its schema; throws the fault that names the first field which does not. */
export function checkRequest(body: unknown): MessagesRequest {
  checkFields(requestFieldsSchema, body);
  // Not the schema's copy, whose members may stand in another order than the client's.
  return body as MessagesRequest;
}

/** The body of a token count, likewise. */
export function checkCount(body: unknown): PromptFields {
  checkFields(countFieldsSchema, body);
  return body as PromptFields;
}

/** Lists are checked item by item up to the first fault: a schema of a whole list would describe every wrong item. */
function checkFields(fields: ZodType, body: unknown): void {
  checkValue(fields, body, []);
  checkBlocks(valueAt(body, ['system']), ['system']);
  for (const [name, item] of Object.entries(listItemSchemas)) {
    const list = valueAt(body, [name]);
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) {
      checkValue(item, value, [name, index]);
      if (name === 'messages') checkBlocks(valueAt(value, ['content']), [name, index, 'content']);
    }
  }
}

function checkBlocks(content: unknown, place: Place): void {
  if (!Array.isArray(content) || content.every(isJsonObject)) return;
  throw invalidField(place, blocksRule, content);
}

function checkValue(schema: ZodType, value: unknown, place: Place): void {
  const result = schema.safeParse(value);
  if (result.success) return;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  throw invalidField([...place, ...path], issue?.message ?? 'is not valid', valueAt(value, path));
}

/** The fault of a field that breaks a rule. */
export function invalidField(path: Place, rule: string, got: unknown): Fault {
  const field = fieldName(path);
  const subject = field === '' ? 'The body' : `\`${field}\``;
  return new Fault(
    'invalid-request',
    `${subject} ${rule}, got ${described(got)}.`,
    field === '' ? {} : { param: field },
  );
}

function fieldName(path: Place): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function valueAt(body: unknown, path: Place): unknown {
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
