import type { ZodType } from 'zod';
import { isRecord } from '../../../lib/json-record.ts';
import { invalidField, parseField } from '../parse-field.ts';
import {
  BLOCKS,
  countFieldsSchema,
  listItemSchemas,
  type MessagesRequest,
  type PromptFields,
  requestFieldsSchema,
  type UnreadFields,
} from './messages-request-schema.ts';

/** Checks the body of a messages request and returns it unchanged; throws a fault that names the first invalid field. */
export function checkRequest(body: unknown): MessagesRequest {
  checkFields(requestFieldsSchema, body);
  // Not the schema's copy, whose members may have another order than the client's.
  return body as MessagesRequest;
}

/** The same for the body of a token count. */
export function checkCount(body: unknown): PromptFields {
  checkFields(countFieldsSchema, body);
  return body as PromptFields;
}

/** Checks lists item by item up to the first fault: a schema of the whole list would report every wrong item. */
function checkFields(fields: ZodType<UnreadFields>, body: unknown): void {
  const { system, messages, tools } = parseField(fields, body);
  checkBlocks(system, 'system');
  for (const [index, message] of messages.entries()) {
    const { content } = parseField(listItemSchemas.messages, message, `messages[${index}]`);
    checkBlocks(content, `messages[${index}].content`);
  }
  for (const [index, tool] of (tools ?? []).entries())
    parseField(listItemSchemas.tools, tool, `tools[${index}]`);
}

function checkBlocks(content: unknown, path: string): void {
  if (!Array.isArray(content) || content.every(isRecord)) return;
  throw invalidField(path, { expected: BLOCKS, got: content });
}
