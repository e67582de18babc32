import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import {
  type ConversationStore,
  conversationNotFound,
  type KeptConversation,
} from '../../text/responses/conversation-store.ts';
import { keptItems } from '../../text/responses/kept-items.ts';
import { ownerOf } from '../../text/responses/responses-service.ts';
import { parseField } from '../../text/wire/parse-field.ts';
import { metadataSchema } from '../../text/wire/responses/responses-request.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { itemListSchema, itemQuery, itemQueryParameters, listAnswer } from './item-list.ts';
import { ofScope } from './of-scope.ts';

/** As many as one call may add. */
const MOST_ITEMS = 20;
const MADE_ID_BYTES = 12;

const itemsRule = `an array of at most ${MOST_ITEMS} items`;
const items = z.array(z.looseObject({}, 'an item'), itemsRule).max(MOST_ITEMS, itemsRule);
const createSchema = z.looseObject({ items: items.nullish(), metadata: metadataSchema }, 'a JSON object');
const changeSchema = z.looseObject({ metadata: metadataSchema }, 'a JSON object');
const addSchema = z.looseObject({ items }, 'a JSON object');

const conversationSchema = z.object({
  id: z.string(),
  object: z.literal('conversation'),
  created_at: z.int().describe('Unix time in seconds.'),
  metadata: z.looseObject({}).describe('Up to 16 strings by name.'),
});
const removedSchema = z.object({
  id: z.string(),
  object: z.literal('conversation.deleted'),
  deleted: z.literal(true),
});
const itemSchema = z.looseObject({ id: z.string(), type: z.string() });

const conversationParameter = { name: 'id', meaning: 'The id of the conversation.' };
const parameters = [conversationParameter];
const itemParameters = [conversationParameter, { name: 'item', meaning: 'The id of the item.' }];

/** Conversations of the key's own stack, and their items. */
export function conversationRoutes(store: ConversationStore): readonly KeyRoute[] {
  return [...wholeRoutes(store), ...itemRoutes(store)];
}

function wholeRoutes(store: ConversationStore): readonly KeyRoute[] {
  return [
    {
      ...common,
      ...taking(createSchema, 'NewConversation', '{"metadata": {"topic": "demo"}}'),
      path: '/v1/conversations',
      summary: 'Make a conversation',
      detail: `Makes a conversation, empty or with up to ${MOST_ITEMS} items, that responses can belong to.`,
      answer: conversationReply,
      faults: ['invalid-request'],
      handle: async ({ caller, body }) => {
        requireStoring(caller.stack);
        const asked = parseField(createSchema, body);
        const content = { metadata: asked.metadata ?? {}, items: madeItems(asked.items ?? []) };
        return conversationAnswer(await store.create(ownerOf(caller), content));
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/conversations/:id',
      summary: 'Show a conversation',
      detail: 'A conversation without its items.',
      parameters,
      answer: conversationReply,
      faults: ['conversation-not-found'],
      handle: async ({ caller, params }) => found(await store.find(caller.stack.id, params.id ?? ''), params),
    },
    {
      ...common,
      ...taking(changeSchema, 'ConversationChange', '{"metadata": {"topic": "demo"}}'),
      path: '/v1/conversations/:id',
      summary: 'Change a conversation',
      detail: 'Replaces the metadata.',
      parameters,
      answer: conversationReply,
      faults: ['conversation-not-found', 'invalid-request'],
      handle: async ({ caller, params, body }) => {
        const { metadata } = parseField(changeSchema, body);
        return found(await store.setMetadata(caller.stack.id, params.id ?? '', metadata ?? {}), params);
      },
    },
    {
      ...common,
      method: 'DELETE',
      path: '/v1/conversations/:id',
      summary: 'Delete a conversation',
      detail: 'Deletes a conversation and its items. Responses that were made in it stay.',
      parameters,
      answer: jsonReply('RemovedConversation', removedSchema),
      faults: ['conversation-not-found'],
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        if (!(await store.remove(caller.stack.id, id))) throw conversationNotFound(id);
        return jsonAnswer({ id, object: 'conversation.deleted', deleted: true });
      },
    },
  ];
}

function itemRoutes(store: ConversationStore): readonly KeyRoute[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/conversations/:id/items',
      summary: 'List items',
      detail: 'The items of a conversation, the last one first.',
      parameters,
      query: itemQueryParameters,
      answer: jsonReply('ItemList', itemListSchema),
      faults: ['conversation-not-found', 'invalid-request', 'storage-away'],
      handle: async ({ caller, params, query }) => {
        const id = params.id ?? '';
        const page = await store.listItems(caller.stack.id, id, itemQuery(query));
        if (page === undefined) throw conversationNotFound(id);
        return listAnswer(page);
      },
    },
    {
      ...common,
      ...taking(addSchema, 'NewItems', '{"items": [{"role": "user", "content": "Hello"}]}'),
      path: '/v1/conversations/:id/items',
      summary: 'Add items',
      detail: `Appends up to ${MOST_ITEMS} items to a conversation.`,
      parameters,
      answer: jsonReply('ItemList', itemListSchema),
      faults: ['conversation-not-found', 'invalid-request'],
      handle: (request) => addItems(store, request),
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/conversations/:id/items/:item',
      summary: 'Show an item',
      detail: 'One item of a conversation.',
      parameters: itemParameters,
      answer: jsonReply('Item', itemSchema),
      faults: ['conversation-item-not-found', 'storage-away'],
      handle: async ({ caller, params }) => {
        const item = await store.findItem(caller.stack.id, params.id ?? '', params.item ?? '');
        if (item === undefined) throw itemNotFound(params);
        return jsonAnswer(item);
      },
    },
    {
      ...common,
      method: 'DELETE',
      path: '/v1/conversations/:id/items/:item',
      summary: 'Delete an item',
      detail: 'Deletes one item, and answers with its conversation.',
      parameters: itemParameters,
      answer: conversationReply,
      faults: ['conversation-not-found', 'conversation-item-not-found'],
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        if (!(await store.removeItem(caller.stack.id, id, params.item ?? ''))) throw itemNotFound(params);
        return found(await store.find(caller.stack.id, id), params);
      },
    },
  ];
}

async function addItems(store: ConversationStore, { caller, params, body }: KeyRequest): Promise<Answer> {
  requireStoring(caller.stack);
  const added = madeItems(parseField(addSchema, body).items);
  await store.append(caller.stack.id, params.id ?? '', added);
  return listAnswer({ items: added, hasMore: false });
}

const conversationReply = jsonReply('Conversation', conversationSchema);
const common = ofScope('responses');

function taking(schema: z.ZodType, schemaName: string, example: string) {
  return { method: 'POST', body: jsonBody, request: { schema, schemaName, example } } as const;
}

function madeItems(given: readonly unknown[]) {
  return keptItems(given, randomBytes(MADE_ID_BYTES).toString('hex'));
}

function found(conversation: KeptConversation | undefined, { id = '' }: KeyRequest['params']): Answer {
  if (conversation === undefined) throw conversationNotFound(id);
  return conversationAnswer(conversation);
}

function conversationAnswer({ id, createdAt, metadata }: KeptConversation): Answer {
  const created = Math.floor(createdAt.getTime() / 1000);
  return jsonAnswer({ id, object: 'conversation', created_at: created, metadata });
}

function itemNotFound({ item = '' }: KeyRequest['params']): Fault {
  const message = `The conversation has no item ${JSON.stringify(item.slice(0, 80))}.`;
  return new Fault('conversation-item-not-found', message);
}

function requireStoring({ storesResponses }: { readonly storesResponses: boolean }): void {
  if (storesResponses) return;
  throw new Fault('invalid-request', 'This stack stores no conversations (`responses.store: false`).');
}
