import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { TextWire } from '../../text/text-wire.ts';
import { chatReplySchema } from '../../text/wire/chat/chat-reply.ts';
import { chatRequestSchema } from '../../text/wire/chat/chat-request.ts';
import { chatWire } from '../../text/wire/chat/chat-wire.ts';
import { type PromptFormat, scanPrompt } from '../../text/wire/formats/scan-prompt.ts';
import { messagesReplySchema } from '../../text/wire/messages/messages-reply.ts';
import {
  messagesCountSchema,
  messagesRequestSchema,
} from '../../text/wire/messages/messages-request-schema.ts';
import { messagesWire, openCount } from '../../text/wire/messages/messages-wire.ts';
import { type Delivery, jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { answerIdentity, deliverText, engineFaults, type TextRouteParts } from './deliver-text.ts';
import { ofScope } from './of-scope.ts';

const countSchema = z.object({
  input_tokens: z.int().describe('Tokens that the same messages call would read.'),
});

/** Chat completions, messages and token counting. */
export function textRoutes(parts: TextRouteParts): readonly KeyRoute[] {
  const { service } = parts;
  const bodyOf = (format: PromptFormat) => ({
    ...jsonBody,
    scan: (bytes: Buffer) => scanPrompt(format, bytes),
    scanApart: (caller: Caller) => {
      const fromBytes = service.unparsedFrom(caller);
      return fromBytes === undefined ? undefined : { format, fromBytes };
    },
  });
  return [
    {
      ...ofScope('chat'),
      method: 'POST',
      path: '/v1/chat/completions',
      body: bodyOf('chat'),
      summary: 'Chat completions',
      detail:
        'Answers a conversation. With `stream: true` the answer is server-sent events, ended by `data: [DONE]`.',
      request: { schema: chatRequestSchema, schemaName: 'ChatRequest', example: chatExample },
      answer: { ...jsonReply('ChatReply', chatReplySchema), streams: true },
      faults: [...engineFaults, 'token-budget-exceeded', 'budget-exceeded', 'model-not-found'],
      handle: (request) => answerText(parts, chatWire, request),
    },
    {
      ...ofScope('messages'),
      method: 'POST',
      path: '/v1/messages',
      body: bodyOf('messages'),
      summary: 'Messages',
      detail:
        'Answers a conversation in the second vendor’s format. `model` is ignored: the stack’s model is used.',
      request: { schema: messagesRequestSchema, schemaName: 'MessagesRequest', example: messagesExample },
      answer: { ...jsonReply('MessagesReply', messagesReplySchema), streams: true },
      faults: [...engineFaults, 'token-budget-exceeded', 'budget-exceeded'],
      handle: (request) => answerText(parts, messagesWire, request),
    },
    {
      ...ofScope('messages'),
      method: 'POST',
      path: '/v1/messages/count_tokens',
      isForReaders: true,
      body: jsonBody,
      summary: 'Count tokens',
      detail: 'The tokens that the same messages call would read, counted by the model’s own tokenizer.',
      request: { schema: messagesCountSchema, schemaName: 'CountRequest', example: countExample },
      answer: jsonReply('CountReply', countSchema),
      faults: [...engineFaults, 'key-read-only', 'token-budget-exceeded', 'budget-exceeded'],
      handle: async (request) => {
        const { body, caller, meter, signal } = request;
        const { conversation } = openCount(body);
        const tokens = await service.count(caller, { conversation, meter, signal, request });
        return jsonAnswer({ input_tokens: tokens });
      },
    },
  ];
}

function answerText(
  parts: TextRouteParts,
  wire: TextWire,
  request: KeyRequest,
): Delivery | Promise<Delivery> {
  const { caller, body, requestId } = request;
  const context = { models: caller.models, ...answerIdentity(requestId) };
  return deliverText(parts, wire.open(body, context), request);
}

const chatExample = '{"model": "MODEL", "messages": [{"role": "user", "content": "Hello"}]}';
const messagesExample =
  '{"model": "any", "max_tokens": 8000, "messages": [{"role": "user", "content": "Hello"}]}';
const countExample = '{"messages": [{"role": "user", "content": "Hello"}]}';
