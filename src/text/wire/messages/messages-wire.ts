import { messagesFamily } from '../../../families/messages-family.ts';
import type { Conversation } from '../../conversation.ts';
import type { TextExchange, TextWire, WireContext } from '../../text-wire.ts';
import { ScannedBody } from '../scanned-body.ts';
import { checkCount, checkRequest } from './check-body.ts';
import { renderReply } from './messages-reply.ts';
import { MessagesStreamWriter } from './messages-stream-writer.ts';
import { readConversation, scannedConversation } from './read-conversation.ts';

/** The messages format. */
export const messagesWire: TextWire = { family: messagesFamily, open };

/** Parses the body of a token count into the conversation that the same messages request would have. */
export function openCount(body: unknown): { readonly conversation: Conversation } {
  return { conversation: readConversation(checkCount(body), {}) };
}

const SCANNED_MESSAGES = [{ role: 'user', content: '' }];

function open(body: unknown, context: WireContext): TextExchange {
  const scanned = body instanceof ScannedBody ? body : undefined;
  // The lists were judged by the scan; the schema wants to see some.
  const request = checkRequest(
    scanned === undefined ? body : { ...scanned.fields, messages: SCANNED_MESSAGES },
  );
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
