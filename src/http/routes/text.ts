import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { messagesFamily } from '../../families/messages-family.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { andThen } from '../../lib/and-then.ts';
import type { TextService } from '../../text/text-service.ts';
import type { TextWire, WireContext } from '../../text/text-wire.ts';
import { chatReplySchema } from '../../text/wire/chat/chat-reply.ts';
import { chatRequestSchema } from '../../text/wire/chat/chat-request.ts';
import { chatWire } from '../../text/wire/chat/chat-wire.ts';
import { scanChatBody } from '../../text/wire/chat/scan-chat-body.ts';
import type { PromptFormat } from '../../text/wire/formats/scan-prompt.ts';
import { messagesReplySchema } from '../../text/wire/messages/messages-reply-schema.ts';
import {
  messagesCountSchema,
  messagesRequestSchema,
} from '../../text/wire/messages/messages-request-schema.ts';
import { messagesWire, openCount } from '../../text/wire/messages/messages-wire.ts';
import { scanMessagesBody } from '../../text/wire/messages/scan-messages-body.ts';
import { responsesFieldsSchema } from '../../text/wire/responses/responses-request.ts';
import { responseSchema } from '../../text/wire/responses/responses-schema.ts';
import { openInputTokens, responsesWire } from '../../text/wire/responses/responses-wire.ts';
import { jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import type { Delivery } from '../delivery.ts';
import type { KeyRequest, KeyRoute } from '../route.ts';
import type { StreamWatch } from '../stream-watch.ts';
import { TextDelivery } from '../text-delivery.ts';

const engineFaults: readonly FaultCode[] = [
  'invalid-request',
  'context-length-exceeded',
  'engine-refused',
  'engine-failed',
  'engine-overloaded',
  'model-not-ready',
  'too-many-counts',
  'engine-timeout',
];

const countSchema = z.object({
  input_tokens: z.int().describe('Tokens that the same messages call would read.'),
});

const inputTokensSchema = z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() });

export interface TextRouteParts {
  readonly service: TextService;
  readonly watch: StreamWatch;
}

/** Chat completions, messages, responses and token counting. */
export function textRoutes(parts: TextRouteParts): readonly KeyRoute[] {
  const { service } = parts;
  const formatFor = (format: PromptFormat) => (caller: Caller) =>
    service.passesOn(caller) ? format : undefined;
  return [
    {
      method: 'POST',
      path: '/v1/chat/completions',
      access: 'key',
      family: chatWire.family,
      body: { ...jsonBody, scan: scanChatBody, formatApart: formatFor('chat') },
      description: {
        group: 'Text',
        summary: 'Chat completions',
        detail:
          'Answers a conversation. With `stream: true` the answer is server-sent events, ended by `data: [DONE]`.',
        request: { schema: chatRequestSchema, schemaName: 'ChatRequest', example: chatExample },
        answer: {
          contentType: 'application/json',
          schema: chatReplySchema,
          schemaName: 'ChatReply',
          streams: true,
        },
        faults: [...engineFaults, 'token-budget-exceeded', 'model-not-found'],
      },
      handle: (request) => answerText(parts, chatWire, request),
    },
    {
      method: 'POST',
      path: '/v1/messages',
      access: 'key',
      family: messagesWire.family,
      body: { ...jsonBody, scan: scanMessagesBody, formatApart: formatFor('messages') },
      description: {
        group: 'Text',
        summary: 'Messages',
        detail:
          'Answers a conversation in the second vendor’s format. `model` is ignored: the stack’s model is used.',
        request: { schema: messagesRequestSchema, schemaName: 'MessagesRequest', example: messagesExample },
        answer: {
          contentType: 'application/json',
          schema: messagesReplySchema,
          schemaName: 'MessagesReply',
          streams: true,
        },
        faults: [...engineFaults, 'token-budget-exceeded'],
      },
      handle: (request) => answerText(parts, messagesWire, request),
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      access: 'key',
      family: messagesFamily,
      body: jsonBody,
      description: {
        group: 'Text',
        summary: 'Count tokens',
        detail: 'The tokens that the same messages call would read, counted by the model’s own tokenizer.',
        request: { schema: messagesCountSchema, schemaName: 'CountRequest', example: countExample },
        answer: { contentType: 'application/json', schema: countSchema, schemaName: 'CountReply' },
        faults: [...engineFaults, 'token-budget-exceeded'],
      },
      handle: async ({ body, caller, meter, signal }) => {
        const { conversation } = openCount(body);
        return jsonAnswer({ input_tokens: await service.count(caller, { conversation, meter, signal }) });
      },
    },
    ...responsesRoutes(parts),
  ];
}

function responsesRoutes(parts: TextRouteParts): readonly KeyRoute[] {
  const request = {
    schema: responsesFieldsSchema,
    schemaName: 'ResponsesRequest',
    example: responsesExample,
  };
  const common = { method: 'POST', access: 'key', family: responsesWire.family, body: jsonBody } as const;
  const faults: readonly FaultCode[] = [...engineFaults, 'previous-response-not-found', 'item-not-found'];
  return [
    {
      ...common,
      path: '/v1/responses',
      description: {
        group: 'Text',
        summary: 'Responses',
        detail:
          'Answers a conversation of items. With `stream: true` the answer is server-sent events, the last of which has the whole response. Nothing is kept: `store` is answered false.',
        request,
        answer: {
          contentType: 'application/json',
          schema: responseSchema,
          schemaName: 'Response',
          streams: true,
        },
        faults: [...faults, 'token-budget-exceeded', 'model-not-found'],
      },
      handle: (asked) => answerText(parts, responsesWire, asked),
    },
    {
      ...common,
      path: '/v1/responses/input_tokens',
      description: {
        group: 'Text',
        summary: 'Count input tokens',
        detail: 'The tokens that the same response would read, counted by the model’s own tokenizer.',
        request,
        answer: { contentType: 'application/json', schema: inputTokensSchema, schemaName: 'InputTokens' },
        faults: [...faults, 'token-budget-exceeded'],
      },
      handle: async ({ body, caller, meter, signal }) => {
        const { conversation } = openInputTokens(body);
        const tokens = await parts.service.count(caller, { conversation, meter, signal });
        return jsonAnswer({ object: 'response.input_tokens', input_tokens: tokens });
      },
    },
  ];
}

function answerText(
  { service, watch }: TextRouteParts,
  wire: TextWire,
  request: KeyRequest,
): Delivery | Promise<Delivery> {
  const { caller, body, meter, requestId } = request;
  const exchange = wire.open(body, wireContext(caller, requestId));
  const { conversation, passthrough, countFirst, streaming } = exchange;
  const delivery = new TextDelivery(exchange, watch);
  const ask = { conversation, passthrough, countFirst, inOnePiece: !streaming, meter, request };
  return andThen(service.answer(caller, ask, delivery), (answer) => delivery.of(answer));
}

/** What a wire needs to know of a request besides its body. */
function wireContext({ stack }: Caller, requestId: string): WireContext {
  return {
    models: stack.models,
    // The same letters, so that an answer leads to its line in the log.
    answerId: requestId.slice(requestId.indexOf('_') + 1),
    created: Math.floor(Date.now() / 1000),
  };
}

const chatExample = '{"model": "MODEL", "messages": [{"role": "user", "content": "Hello"}]}';
const messagesExample =
  '{"model": "any", "max_tokens": 8000, "messages": [{"role": "user", "content": "Hello"}]}';
const responsesExample = '{"model": "MODEL", "input": "Hello"}';
const countExample = '{"messages": [{"role": "user", "content": "Hello"}]}';
