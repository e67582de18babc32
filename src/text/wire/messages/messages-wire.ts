import { messagesFamily } from '../../../families/messages-family.ts';
import type { Conversation } from '../../conversation.ts';
import type { AskedConversation } from '../../passthrough.ts';
import type { TextRequest, TextWire, WireContext } from '../../text-wire.ts';
import { includesKnowledge } from '../knowledge-field.ts';
import { commonPlainRules, hasPlainFields, type PlainRules } from '../plain-fields.ts';
import { ScannedBody } from '../scanned-body.ts';
import { checkCount, checkRequest } from './check-body.ts';
import { messagesReplyJson } from './messages-reply.ts';
import type { MessagesRequest, ShortRequest } from './messages-request-schema.ts';
import { MessagesStreamWriter } from './messages-stream-writer.ts';
import { readConversation, scannedConversation } from './read-conversation.ts';

/** The messages format. */
export const messagesWire: TextWire = { family: messagesFamily, open };

/** Parses the body of a token count into the conversation of the same messages request. */
export function openCount(body: unknown): { readonly conversation: Conversation } {
  return { conversation: readConversation(checkCount(body), {}) };
}

const SCANNED_MESSAGES = [{ role: 'user', content: '' }];
const plainRules: PlainRules = new Map<string, (value: unknown) => boolean>([
  ...commonPlainRules,
  ['system', (value) => typeof value === 'string'],
]);

function open(body: unknown, context: WireContext): TextRequest {
  if (body instanceof ScannedBody) {
    const fields = fieldsOf(body);
    return requestOf(fields, context, scannedConversation(fields, body));
  }
  const request = checkRequest(body);
  return requestOf(request, context, { conversation: readConversation(request, request) });
}

function requestOf(
  request: Pick<MessagesRequest, 'stream' | 'model' | 'include'>,
  context: WireContext,
  { conversation, passthrough }: AskedConversation,
): TextRequest {
  const streaming = request.stream === true;
  const name = { id: `msg_${context.answerId}`, model: context.models[0] ?? request.model };
  return {
    conversation,
    passthrough,
    streaming,
    countFirst: streaming,
    showsKnowledge: includesKnowledge(request.include),
    reply: (reply) => messagesReplyJson(reply, name),
    writer: () => new MessagesStreamWriter(name),
  };
}

// The scan has checked the lists; the schema only needs them to be present.
function fieldsOf({ fields }: ScannedBody): ShortRequest {
  return plainRequest(fields) ?? checkRequest({ ...fields, messages: SCANNED_MESSAGES });
}

function plainRequest(fields: ScannedBody['fields']): ShortRequest | undefined {
  return 'model' in fields && hasPlainFields(fields, plainRules) ? (fields as ShortRequest) : undefined;
}
