import { Fault } from '../../../faults/fault.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { IsHostedOpen } from '../../hosted-tool.ts';
import { invalidField, parseField } from '../parse-field.ts';
import { commonPlainRules, hasPlainFields, isFlag, isText, type PlainRules } from '../plain-fields.ts';
import type { AskedItems } from './asked-items.ts';
import { type AskedResponse, inputItems, responsesConversation } from './responses-conversation.ts';
import { type ResponsesFields, responsesFieldsSchema } from './responses-request.ts';

/** A parsed body, whose items may still refer to others. */
export interface ReadResponse {
  readonly fields: ResponsesFields;
  readonly input: readonly unknown[];
  readonly conversationId: string | undefined;
}

const plainRules: PlainRules = new Map<string, (value: unknown) => boolean>([
  ...commonPlainRules,
  ['input', (value) => isText(value) || Array.isArray(value)],
  ['instructions', isText],
  ['max_output_tokens', Number.isInteger],
  ['parallel_tool_calls', isFlag],
  ['previous_response_id', isText],
  ['store', isFlag],
  ['tools', Array.isArray],
]);

/** Parses a body; throws a fault that says what is wrong with it. */
export function readResponse(body: unknown): ReadResponse {
  const fields = plainFields(body) ?? parseField(responsesFieldsSchema, body);
  const { conversation } = fields;
  const conversationId = (typeof conversation === 'string' ? conversation : conversation?.id) || undefined;
  if (conversationId !== undefined && fields.previous_response_id)
    throw new Fault('invalid-request', '`conversation` and `previous_response_id` exclude each other.', {
      param: 'previous_response_id',
    });
  return { fields, input: inputItems(fields), conversationId };
}

function plainFields(body: unknown): ResponsesFields | undefined {
  if (!isRecord(body) || !('model' in body)) return undefined;
  return hasPlainFields(body, plainRules) ? (body as ResponsesFields) : undefined;
}

/** The conversation of a request whose items are complete. */
export function conversationOf(
  { fields }: ReadResponse,
  items: AskedItems,
  isHostedOpen?: IsHostedOpen,
): AskedResponse {
  if (items.history.length + items.input.length > 0)
    return responsesConversation(fields, items, isHostedOpen);
  const got = fields.input ?? undefined;
  throw invalidField('input', { expected: 'a string or an array of items', got });
}
