import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import { messagesFamily } from '../../families/messages-family.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { collectReply } from '../../text/reply.ts';
import type { TextEvent } from '../../text/text-event.ts';
import type { TextService } from '../../text/text-service.ts';
import type { StreamWriter, TextWire, WireContext } from '../../text/text-wire.ts';
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
import { jsonBody } from '../body-rules.ts';
import type { Answer, BodyRule, KeyRequest, KeyRoute, StreamAnswer } from '../route.ts';
import { jsonAnswer } from '../route.ts';

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

/** A path on which the same is asked all day: its format, and how its body is read. */
export interface HotTextRoute {
  readonly path: string;
  readonly wire: TextWire;
  readonly body: Extract<BodyRule, { kind: 'json' }>;
}

const hotChat = {
  path: '/v1/chat/completions',
  wire: chatWire,
  body: { ...jsonBody, scan: scanChatBody },
} as const satisfies HotTextRoute;
const hotMessages = {
  path: '/v1/messages',
  wire: messagesWire,
  body: { ...jsonBody, scan: scanMessagesBody },
} as const satisfies HotTextRoute;

export const hotTextRoutes: readonly HotTextRoute[] = [hotChat, hotMessages];

/** Chat completions, messages and token counting. */
export function textRoutes(service: TextService): readonly KeyRoute[] {
  const formatFor = (format: PromptFormat) => (caller: Caller) =>
    service.sendsOnAsWritten(caller) ? format : undefined;
  return [
    {
      method: 'POST',
      path: hotChat.path,
      access: 'key',
      family: chatWire.family,
      body: { ...hotChat.body, formatApart: formatFor('chat') },
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
      handle: (request) => answerText(service, chatWire, request),
    },
    {
      method: 'POST',
      path: hotMessages.path,
      access: 'key',
      family: messagesWire.family,
      body: { ...hotMessages.body, formatApart: formatFor('messages') },
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
      handle: (request) => answerText(service, messagesWire, request),
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
  ];
}

async function answerText(
  service: TextService,
  wire: TextWire,
  request: KeyRequest,
): Promise<Answer | StreamAnswer> {
  const { caller, body, signal, meter, requestId } = request;
  const exchange = wire.open(body, wireContext(caller, requestId));
  const { conversation, countFirst, streaming } = exchange;
  const ask = { conversation, countFirst, inOnePiece: !streaming, meter, signal };
  const { batches, sources, start } = await service.answer(caller, ask);
  const headers = sourceHeaders(sources);
  if (!streaming)
    return { contentType: 'application/json', body: exchange.reply(await collectReply(batches)), ...headers };
  const writer = exchange.writer();
  return {
    ...headers,
    stream: {
      pieces: writeBatches(batches, writer),
      begin: countFirst ? async (patience) => writer.write(await start(patience)) : undefined,
      ping: () => writer.ping(),
      fail: (fault) => writer.fail(fault, requestId),
    },
  };
}

/** What a wire needs to know of a request besides its body. */
export function wireContext({ stack }: Caller, requestId: string): WireContext {
  return {
    models: stack.models,
    // The same letters, so that an answer leads to its line in the log.
    answerId: requestId.slice(requestId.indexOf('_') + 1),
    created: Math.floor(Date.now() / 1000),
  };
}

/** Says which documents of the knowledge base the model was shown. */
function sourceHeaders(sources: readonly string[]): Pick<Answer, 'headers'> {
  return sources.length === 0 ? {} : { headers: { 'x-knowledge-sources': sources.join(', ') } };
}

/** All events of a batch leave in one write. */
async function* writeBatches(
  batches: AsyncIterable<readonly TextEvent[]>,
  writer: StreamWriter,
): AsyncGenerator<string> {
  for await (const batch of batches) {
    let piece = '';
    for (const event of batch) piece += writer.write(event);
    yield piece;
  }
}

const chatExample = '{"model": "MODEL", "messages": [{"role": "user", "content": "Hello"}]}';
const messagesExample =
  '{"model": "any", "max_tokens": 8000, "messages": [{"role": "user", "content": "Hello"}]}';
const countExample = '{"messages": [{"role": "user", "content": "Hello"}]}';
