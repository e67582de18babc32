import { chatFamily } from '../../../families/chat-family.ts';
import { Fault } from '../../../faults/fault.ts';
import { isRecord } from '../../../lib/json-record.ts';
import type { Conversation } from '../../conversation.ts';
import type { IsHostedOpen } from '../../hosted-tool.ts';
import type { Reply } from '../../reply.ts';
import type { TextRequest, TextWire, WireContext } from '../../text-wire.ts';
import { checkModel } from '../check-model.ts';
import { describeValue, invalidField, parseField } from '../parse-field.ts';
import { kindOf } from './input-items.ts';
import { type ItemForm, outputItems } from './output-item.ts';
import { type ResponseEcho, type ResponseObject, responseObject } from './response-object.ts';
import { type AskedResponse, inputItems, responsesConversation } from './responses-conversation.ts';
import { type ResponsesFields, responsesFieldsSchema } from './responses-request.ts';
import { ResponsesStreamWriter } from './responses-stream-writer.ts';
import type { ToolTable } from './tool-table.ts';

// Codex counts only events as a sign of life, and disconnects after some seconds without one.
const KEEP_ALIVE_MS = 5_000;
const USUAL_HOSTED_CALLS = 8;
const MOST_HOSTED_CALLS = 64;

/** The responses format. Nothing is stored: each request contains its whole conversation. */
export const responsesWire: TextWire = { family: chatFamily, open };

/** Parses the body of a token count into the conversation of the same request. */
export function openInputTokens(
  body: unknown,
  hosted?: IsHostedOpen,
): { readonly conversation: Conversation } {
  return { conversation: conversationOf(parseField(responsesFieldsSchema, body), hosted).conversation };
}

function open(body: unknown, context: WireContext): TextRequest {
  const fields = parseField(responsesFieldsSchema, body);
  checkModel(fields.model, context.models);
  const { conversation, table } = conversationOf(fields, context.hosted);
  const include = fields.include ?? [];
  const form: ItemForm = {
    answerId: context.answerId,
    table,
    summarises: Boolean(fields.reasoning?.summary),
    seals: include.includes('reasoning.encrypted_content'),
    showsResults: include.includes('file_search_call.results'),
  };
  const echo: ResponseEcho = {
    id: `resp_${context.answerId}`,
    created: context.created,
    model: fields.model,
    fields,
    stored: false,
    maxOutputTokens: conversation.sampling.maxTokens,
  };
  return {
    conversation,
    ...hostedRequest(table, fields),
    streaming: fields.stream ?? false,
    countFirst: false,
    nextPingMs: KEEP_ALIVE_MS,
    reply: (reply) => JSON.stringify(wholeResponse(echo, form, reply)),
    writer: () => new ResponsesStreamWriter(echo, form, nowSeconds),
  };
}

/** The response for a whole answer, equal to that in the last event of its stream. */
function wholeResponse(echo: ResponseEcho, form: ItemForm, reply: Reply): ResponseObject {
  const { blocks, reason, usage, standIn } = reply;
  const state = { status: 'finished', reason, usage, completed: nowSeconds() } as const;
  const named = standIn === undefined ? echo : { ...echo, model: standIn };
  return responseObject(named, state, outputItems(blocks, reason, form));
}

/** The hosted tools of a request, if it has some. */
function hostedRequest({ hosted }: ToolTable, fields: ResponsesFields): Pick<TextRequest, 'hosted'> {
  if (hosted.size === 0) return {};
  const mostCalls = Math.min(MOST_HOSTED_CALLS, Math.max(1, fields.max_tool_calls ?? USUAL_HOSTED_CALLS));
  return { hosted: { tools: hosted, mostCalls } };
}

function conversationOf(fields: ResponsesFields, hosted?: IsHostedOpen): AskedResponse {
  refuseState(fields);
  const items = inputItems(fields).filter(isSaid);
  if (items.length === 0)
    throw invalidField('input', {
      expected: 'a string or an array of items',
      got: fields.input ?? undefined,
    });
  return responsesConversation(fields, items, hosted);
}

function refuseState(fields: ResponsesFields): void {
  const advice = 'Responses are not kept here; send the whole conversation in `input`.';
  if (fields.previous_response_id)
    throw new Fault('previous-response-not-found', advice, { param: 'previous_response_id' });
  if (fields.conversation) throw new Fault('invalid-request', advice, { param: 'conversation' });
  if (fields.background)
    throw new Fault('invalid-request', '`background` needs responses that are kept, and they are not.', {
      param: 'background',
    });
}

/** Drops references to reasoning, which the answer does not need. Any other reference is a missing item, and refused. */
function isSaid(item: unknown, index: number): boolean {
  if (kindOf(item) !== 'item_reference') return true;
  const id = isRecord(item) ? String(item.id) : '';
  if (id.startsWith('rs_')) return false;
  const message = `\`input[${index}]\` refers to ${describeValue(id)}, but responses are not kept here; set \`store: false\` in the client, so that it sends whole items.`;
  throw new Fault('item-not-found', message, { param: 'input' });
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
