import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { andThen } from '../../lib/and-then.ts';
import { type BackgroundResponses, responseNotFound } from '../../text/responses/background-responses.ts';
import type { ReplayStart, ResponseReplay } from '../../text/responses/response-replay.ts';
import type { ResponseStore } from '../../text/responses/response-store.ts';
import type { CompletedRequest, ResponsesService } from '../../text/responses/responses-service.ts';
import { responseSchema, responsesFieldsSchema } from '../../text/wire/responses/responses-request.ts';
import { type Answer, type Delivery, jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { wholeNumberIn } from '../query-values.ts';
import { jsonReply, type KeyRoute } from '../route.ts';
import { StreamDelivery } from '../stream-delivery.ts';
import { answerIdentity, deliverText, engineFaults, type TextRouteParts } from './deliver-text.ts';
import { itemListSchema, itemQuery, itemQueryParameters, listAnswer, pageOf } from './item-list.ts';
import { ofScope } from './of-scope.ts';

export interface ResponseRouteParts extends TextRouteParts {
  readonly responses: ResponsesService;
  readonly store: ResponseStore;
  readonly background: Pick<BackgroundResponses, 'enqueue' | 'cancel'>;
  readonly replay: Pick<ResponseReplay, 'pieces'>;
}

const inputTokensSchema = z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() });
const removedSchema = z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) });
const parameters = [{ name: 'id', meaning: 'The id of the response.' }];

/** Responses: making, counting, reading and deleting them. */
export function responseRoutes(parts: ResponseRouteParts): readonly KeyRoute[] {
  return [...askingRoutes(parts), ...storedRoutes(parts)];
}

function askingRoutes(parts: ResponseRouteParts): readonly KeyRoute[] {
  const asking = {
    ...common,
    method: 'POST',
    body: jsonBody,
    request: { schema: responsesFieldsSchema, schemaName: 'ResponsesRequest', example: responsesExample },
  } as const;
  const faults: readonly FaultCode[] = [
    ...engineFaults,
    'token-budget-exceeded',
    'budget-exceeded',
    'previous-response-not-found',
    'item-not-found',
    'conversation-not-found',
  ];
  return [
    {
      ...asking,
      path: '/v1/responses',
      summary: 'Responses',
      detail:
        'Answers a conversation of items. With `stream: true` the answer is server-sent events, the last of which has the whole response. The response is stored before it is answered, unless `store` is false.',
      answer: { ...jsonReply('Response', responseSchema), streams: true },
      faults: [
        ...faults,
        'model-not-found',
        'storage-quota-exceeded',
        'too-many-background-responses',
        'response-not-stored',
      ],
      handle: (request) => {
        const { caller, body, meter, requestId } = request;
        const ask = { body, meter, request, ...answerIdentity(requestId) };
        return andThen(parts.responses.open(caller, ask), (opened) =>
          opened.fields.background ? enqueue(parts, opened, caller) : deliverText(parts, opened, request),
        );
      },
    },
    {
      ...asking,
      path: '/v1/responses/input_tokens',
      isForReaders: true,
      summary: 'Count input tokens',
      detail: 'The tokens that the same response would read, counted by the model’s own tokenizer.',
      answer: jsonReply('InputTokens', inputTokensSchema),
      faults: [...faults, 'key-read-only'],
      handle: async (request) => {
        const { caller, body, meter } = request;
        const tokens = await parts.responses.count(caller, { body, meter, request });
        return jsonAnswer({ object: 'response.input_tokens', input_tokens: tokens });
      },
    },
  ];
}

function storedRoutes(parts: ResponseRouteParts): readonly KeyRoute[] {
  const { store } = parts;
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/responses/:id',
      summary: 'Show a response',
      detail:
        'A stored response of the stack, as it was answered; with `stream=true` as server-sent events, also while it is made in the background.',
      parameters,
      query: [
        { name: 'stream', meaning: '`true`: its events.' },
        { name: 'starting_after', meaning: 'The number of the last event that the client has.' },
      ],
      answer: { ...jsonReply('Response', responseSchema), streams: true },
      faults: ['response-not-found', 'invalid-request', 'storage-away'],
      handle: async ({ caller, params, query }) => {
        const id = params.id ?? '';
        const after = wholeNumberIn(query, 'starting_after', { from: 0, to: LAST_EVENT }) ?? NO_EVENT;
        const response = (await store.find(caller.stack.id, id)) ?? notFound(id);
        if (query.get('stream') !== 'true') return jsonAnswer(response);
        return replayFrom(parts, { stackId: caller.stack.id, id, after });
      },
    },
    {
      ...common,
      method: 'DELETE',
      path: '/v1/responses/:id',
      summary: 'Delete a response',
      detail: 'Deletes a response for good. Responses that follow it cannot be built on any more.',
      parameters,
      answer: jsonReply('RemovedResponse', removedSchema),
      faults: ['response-not-found'],
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        if (!(await store.remove(caller.stack.id, id))) notFound(id);
        return jsonAnswer({ id, object: 'response', deleted: true });
      },
    },
    {
      ...common,
      method: 'POST',
      path: '/v1/responses/:id/cancel',
      summary: 'Cancel a response',
      detail: 'Stops a response that is made in the background, whichever replica makes it.',
      parameters,
      answer: jsonReply('Response', responseSchema),
      faults: ['response-not-found', 'response-not-cancellable'],
      handle: async ({ caller, params }) =>
        jsonAnswer(await parts.background.cancel(caller.stack.id, params.id ?? '')),
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/responses/:id/input_items',
      summary: 'List input items',
      detail: 'The items of the request that a response answers, the last one first.',
      parameters,
      query: itemQueryParameters,
      answer: jsonReply('ItemList', itemListSchema),
      faults: ['response-not-found', 'invalid-request', 'storage-away'],
      handle: async ({ caller, params, query }) => {
        const id = params.id ?? '';
        const asked = itemQuery(query);
        const items = (await store.findInput(caller.stack.id, id)) ?? notFound(id);
        return listAnswer(pageOf(items, asked));
      },
    },
  ];
}

const common = ofScope('responses');

async function enqueue(
  parts: ResponseRouteParts,
  opened: CompletedRequest,
  { stack }: Caller,
): Promise<Answer | Delivery> {
  const response = await parts.background.enqueue(opened);
  if (!opened.streaming) return jsonAnswer(response);
  return replayFrom(parts, { stackId: stack.id, id: response.id, after: NO_EVENT });
}

function replayFrom({ replay, watch }: ResponseRouteParts, start: ReplayStart): Delivery {
  return new StreamDelivery((signal) => replay.pieces(start, signal), watch);
}

/** The number before that of the first event. */
const NO_EVENT = -1;
const LAST_EVENT = 999_999_999;

function notFound(id: string): never {
  throw responseNotFound(id);
}

const responsesExample = '{"model": "MODEL", "input": "Hello"}';
