import { messagesFamily } from '../../../families/messages-family.ts';
import type { Conversation } from '../../conversation.ts';
import type { TextExchange, TextWire, WireContext } from '../../text-wire.ts';
import { commonPlainRules, hasPlainFields, type PlainRules } from '../plain-fields.ts';
import { ScannedBody } from '../scanned-body.ts';
import { checkCount, checkRequest } from './check-body.ts';
import { renderReply } from './messages-reply.ts';
import type { MessagesRequest } from './messages-request-schema.ts';
import { MessagesStreamWriter } from './messages-stream-writer.ts';
import { readConversation, scannedConversation } from './read-conversation.ts';

/** The messages format. */
export const messagesWire: TextWire = { family: messagesFamily, open };

/** Parses the body of a token count into the conversation that the same messages request would have. */
export function openCount(body: unknown): { readonly conversation: Conversation } {
  return { conversation: readConversation(checkCount(body), {}) };
}

const SCANNED_MESSAGES = [{ role: 'user', content: '' }];
const plainRules: PlainRules = new Map<string, (value: unknown) => boolean>([
  ...commonPlainRules,
  ['system', (value) => typeof value === 'string'],
]);

function open(body: unknown, context: WireContext): TextExchange {
  const scanned = body instanceof ScannedBody ? body : undefined;
  const request = scanned === undefined ? checkRequest(body) : requestOf(scanned);
  const streaming = request.stream === true;
  const name = { id: `msg_${context.answerId}`, model: context.models[0] ?? request.model };
  return {
    conversation:
      scanned === undefined ? readConversation(request, request) : scannedConversation(request, scanned),
    streaming,
    countFirst: streaming,
    reply: (reply) => renderReply(reply, name),
    writer: () => new MessagesStreamWriter(name),
  };
}

// The lists were judged by the scan; the schema wants to see some.
function requestOf({ fields }: ScannedBody): MessagesRequest {
  const whole = { ...fields, messages: SCANNED_MESSAGES };
  return isPlainRequest(fields, whole) ? whole : checkRequest(whole);
}

function isPlainRequest(
  fields: ScannedBody['fields'],
  whole: Readonly<Record<string, unknown>>,
): whole is MessagesRequest {
  return 'model' in whole && hasPlainFields(fields, plainRules);
}
