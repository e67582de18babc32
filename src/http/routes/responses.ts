import { z } from 'zod';
import { chatFamily } from '../../families/chat-family.ts';
import { Fault } from '../../faults/fault.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { andThen } from '../../lib/and-then.ts';
import type { ResponseStore } from '../../text/responses/response-store.ts';
import type { ResponsesService } from '../../text/responses/responses-service.ts';
import { responsesFieldsSchema } from '../../text/wire/responses/responses-request.ts';
import { responseSchema } from '../../text/wire/responses/responses-schema.ts';
import { jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import type { KeyRoute } from '../route.ts';
import { jsonReply } from '../route-description.ts';
import { answerIdentity, deliverText, engineFaults, type TextRouteParts } from './deliver-text.ts';
import { itemListSchema, itemQuery, itemQueryParameters, listAnswer, pageOf } from './item-list.ts';

export interface ResponseRouteParts extends TextRouteParts {
  readonly responses: ResponsesService;
  readonly store: ResponseStore;
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
      faults: [...faults, 'model-not-found', 'storage-quota-exceeded', 'response-not-stored'],
      handle: (request) => {
        const { caller, body, meter, requestId } = request;
        const ask = { body, meter, request, ...answerIdentity(requestId) };
        return andThen(parts.responses.open(caller, ask), (opened) => deliverText(parts, opened, request));
      },
    },
    {
      ...asking,
      path: '/v1/responses/input_tokens',
      summary: 'Count input tokens',
      detail: 'The tokens that the same response would read, counted by the model’s own tokenizer.',
      answer: jsonReply('InputTokens', inputTokensSchema),
      faults,
      handle: async (request) => {
        const { caller, body, meter } = request;
        const tokens = await parts.responses.count(caller, { body, meter, request });
        return jsonAnswer({ object: 'response.input_tokens', input_tokens: tokens });
      },
    },
  ];
}

function storedRoutes({ store }: ResponseRouteParts): readonly KeyRoute[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/responses/:id',
      summary: 'Show a response',
      detail: 'A stored response of the stack, as it was answered.',
      parameters,
      answer: jsonReply('Response', responseSchema),
      faults: ['response-not-found'],
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        return jsonAnswer((await store.find(caller.stack.id, id)) ?? notFound(id));
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
      method: 'GET',
      path: '/v1/responses/:id/input_items',
      summary: 'List input items',
      detail: 'The items of the request that a response answers, the last one first.',
      parameters,
      query: itemQueryParameters,
      answer: jsonReply('ItemList', itemListSchema),
      faults: ['response-not-found', 'invalid-request'],
      handle: async ({ caller, params, query }) => {
        const id = params.id ?? '';
        const asked = itemQuery(query);
        const items = (await store.findInput(caller.stack.id, id)) ?? notFound(id);
        return listAnswer(pageOf(items, asked));
      },
    },
  ];
}

const common = { access: 'key', family: chatFamily, body: { kind: 'none' }, group: 'Text' } as const;

function notFound(id: string): never {
  const message = `This stack has no response ${JSON.stringify(id.slice(0, 80))}.`;
  throw new Fault('response-not-found', message);
}

const responsesExample = '{"model": "MODEL", "input": "Hello"}';
