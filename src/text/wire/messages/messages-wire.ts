import { messagesFamily } from '../../../families/messages-family.ts';
import type { Conversation } from '../../conversation.ts';
import type { TextExchange, TextWire, WireContext } from '../../text-wire.ts';
import { checkCount, checkRequest } from './check-body.ts';
import { renderReply } from './messages-reply.ts';
import { MessagesStreamWriter } from './messages-stream-writer.ts';
import { readConversation } from './read-conversation.ts';

/** The messages format. */
export const messagesWire: TextWire = { family: messagesFamily, open };

/** Parses the body of a token count into the conversation that the same messages request would have. */
export function openCount(body: unknown): { readonly conversation: Conversation } {
  return { conversation: readConversation(checkCount(body), {}) };
}

function open(body: unknown, context: WireContext): TextExchange {
  const request = checkRequest(body);
  const streaming = request.stream === true;
  const name = { id: `msg_${context.answerId}`, model: context.models[0] ?? request.model };
  return {
    conversation: readConversation(request, request),
    streaming,
    countFirst: streaming,
    reply: (reply) => renderReply(reply, name),
    writer: () => new MessagesStreamWriter(name),
  };
}
