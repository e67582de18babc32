import type { Conversation } from '../../src/text/conversation.ts';
import type { TextRequest, WireContext } from '../../src/text/text-wire.ts';
import { chatWire } from '../../src/text/wire/chat/chat-wire.ts';

export const chatContext: WireContext = { models: ['fox', 'vixen'], answerId: 'abc', created: 1_800_000_000 };

/** A body with one user message and these fields. */
export function chatBody(fields: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { model: 'fox', messages: [{ role: 'user', content: 'Hello' }], ...fields };
}

/** Parses a body with these fields. */
export function openChat(fields: Readonly<Record<string, unknown>> = {}): TextRequest {
  return chatWire.open(chatBody(fields), chatContext);
}

/** The conversation of these messages. */
export function chatConversation(...messages: readonly unknown[]): Conversation {
  return openChat({ messages }).conversation;
}
