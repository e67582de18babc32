import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { messagesFamily } from '../../families/messages-family.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { andThen } from '../../lib/and-then.ts';
import type { IsHostedOpen } from '../../text/hosted-tool.ts';
import type { HostedTools } from '../../text/hosted-tools.ts';
import type { TextService } from '../../text/text-service.ts';
import type { TextWire, WireContext } from '../../text/text-wire.ts';
import { chatReplySchema } from '../../text/wire/chat/chat-reply.ts';
import { chatRequestSchema } from '../../text/wire/chat/chat-request.ts';
import { chatWire } from '../../text/wire/chat/chat-wire.ts';
import { type PromptFormat, scanPrompt } from '../../text/wire/formats/scan-prompt.ts';
import { messagesReplySchema } from '../../text/wire/messages/messages-reply-schema.ts';
import {
  messagesCountSchema,
  messagesRequestSchema,
} from '../../text/wire/messages/messages-request-schema.ts';
import { messagesWire, openCount } from '../../text/wire/messages/messages-wire.ts';
import { responsesFieldsSchema } from '../../text/wire/responses/responses-request.ts';
import { responseSchema } from '../../text/wire/responses/responses-schema.ts';
import { openInputTokens, responsesWire } from '../../text/wire/responses/responses-wire.ts';
import { jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import type { Delivery } from '../delivery.ts';
import type { KeyRequest, KeyRoute } from '../route.ts';
import { jsonReply } from '../route-description.ts';
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
  readonly hosted: HostedTools;
}

/** Chat completions, messages, responses and token counting. */
export function textRoutes(parts: TextRouteParts): readonly KeyRoute[] {
  const { service } = parts;
  const bodyOf = (format: PromptFormat) => ({
    ...jsonBody,
    scan: (bytes: Buffer) => scanPrompt(format, bytes),
    formatApart: (caller: Caller) => (service.passesOn(caller) ? format : undefined),
  });
  return [
    {
      method: 'POST',
      path: '/v1/chat/completions',
      access: 'key',
      family: chatWire.family,
      body: bodyOf('chat'),
      group: 'Text',
      summary: 'Chat completions',
      detail:
        'Answers a conversation. With `stream: true` the answer is server-sent events, ended by `data: [DONE]`.',
      request: { schema: chatRequestSchema, schemaName: 'ChatRequest', example: chatExample },
      answer: { ...jsonReply('ChatReply', chatReplySchema), streams: true },
      faults: [...engineFaults, 'token-budget-exceeded', 'model-not-found'],
      handle: (request) => answerText(parts, chatWire, request),
    },
    {
      method: 'POST',
      path: '/v1/messages',
      access: 'key',
      family: messagesWire.family,
      body: bodyOf('messages'),
      group: 'Text',
      summary: 'Messages',
      detail:
        'Answers a conversation in the second vendor’s format. `model` is ignored: the stack’s model is used.',
      request: { schema: messagesRequestSchema, schemaName: 'MessagesRequest', example: messagesExample },
      answer: { ...jsonReply('MessagesReply', messagesReplySchema), streams: true },
      faults: [...engineFaults, 'token-budget-exceeded'],
      handle: (request) => answerText(parts, messagesWire, request),
    },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      access: 'key',
      family: messagesFamily,
      body: jsonBody,
      group: 'Text',
      summary: 'Count tokens',
      detail: 'The tokens that the same messages call would read, counted by the model’s own tokenizer.',
      request: { schema: messagesCountSchema, schemaName: 'CountRequest', example: countExample },
      answer: jsonReply('CountReply', countSchema),
      faults: [...engineFaults, 'token-budget-exceeded'],
      handle: async ({ body, caller, meter, signal }) => {
        const { conversation } = openCount(body);
        return jsonAnswer({ input_tokens: await service.count(caller, { conversation, meter, signal }) });
      },
    },
    ...responsesRoutes(parts),
  ];
}

function responsesRoutes(parts: TextRouteParts): readonly KeyRoute[] {
  const common = {
    method: 'POST',
    access: 'key',
    family: responsesWire.family,
    body: jsonBody,
    group: 'Text',
    request: { schema: responsesFieldsSchema, schemaName: 'ResponsesRequest', example: responsesExample },
  } as const;
  const faults: readonly FaultCode[] = [
    ...engineFaults,
    'token-budget-exceeded',
    'previous-response-not-found',
    'item-not-found',
  ];
  return [
    {
      ...common,
      path: '/v1/responses',
      summary: 'Responses',
      detail:
        'Answers a conversation of items. With `stream: true` the answer is server-sent events, the last of which has the whole response. Nothing is kept: `store` is answered false.',
      answer: { ...jsonReply('Response', responseSchema), streams: true },
      faults: [...faults, 'model-not-found'],
      handle: (request) => answerText(parts, responsesWire, request, parts.hosted.openTo(request.caller)),
    },
    {
      ...common,
      path: '/v1/responses/input_tokens',
      summary: 'Count input tokens',
      detail: 'The tokens that the same response would read, counted by the model’s own tokenizer.',
      answer: jsonReply('InputTokens', inputTokensSchema),
      faults,
      handle: async ({ body, caller, meter, signal }) => {
        const { conversation } = openInputTokens(body, parts.hosted.openTo(caller));
        const tokens = await parts.service.count(caller, { conversation, meter, signal });
        return jsonAnswer({ object: 'response.input_tokens', input_tokens: tokens });
      },
    },
  ];
}

function answerText(
  { service, watch, hosted }: TextRouteParts,
  wire: TextWire,
  request: KeyRequest,
  isHostedOpen?: IsHostedOpen,
): Delivery | Promise<Delivery> {
  const { caller, body, meter, requestId } = request;
  const exchange = wire.open(body, wireContext(caller, requestId, isHostedOpen));
  const { conversation, passthrough, countFirst, streaming } = exchange;
  const delivery = new TextDelivery(exchange, watch);
  const ask = { conversation, passthrough, countFirst, inOnePiece: !streaming, meter, request };
  const answering =
    exchange.hosted === undefined
      ? service.answer(caller, ask, delivery)
      : hosted.answer(caller, { ...ask, hosted: exchange.hosted }, delivery);
  return andThen(answering, (answer) => delivery.of(answer));
}

/** The data of a request that a wire needs besides the body. */
function wireContext({ stack }: Caller, requestId: string, hosted: WireContext['hosted']): WireContext {
  return {
    models: stack.models,
    // Part of the request's id, so that an answer can be found in the log.
    answerId: requestId.slice(requestId.indexOf('_') + 1),
    created: Math.floor(Date.now() / 1000),
    hosted,
  };
}

const chatExample = '{"model": "MODEL", "messages": [{"role": "user", "content": "Hello"}]}';
const messagesExample =
  '{"model": "any", "max_tokens": 8000, "messages": [{"role": "user", "content": "Hello"}]}';
const responsesExample = '{"model": "MODEL", "input": "Hello"}';
const countExample = '{"messages": [{"role": "user", "content": "Hello"}]}';
