import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationStore } from '../../src/text/responses/conversation-store.ts';
import type { KeptItem, NewResponse, ResponseStore } from '../../src/text/responses/response-store.ts';
import { writtenResponse } from '../../src/text/wire/responses/response-object.ts';
import { readResponse } from './memory-responses.ts';

export interface StoresUnderTest {
  readonly store: ResponseStore;
  readonly conversations: ConversationStore;
}

const BOUNDS = { responses: 1_000, bytes: 1_000_000 };
const NAMED = /^conv_[0-9a-f]{32}$/;

/** An item with odd contents: what a database or a blob might lose. */
export function oddItem(id: string, text = 'ü "quoted" \0 \ud800 🦊'): KeptItem {
  return {
    id,
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
    extra: { 2: 1.5, 1: null },
  };
}

/** A response to store, of key `web` of the stack `shop`. */
export function newResponse(id: string, changes: Partial<NewResponse> & { text?: string } = {}): NewResponse {
  const { text, ...rest } = changes;
  return {
    owner: { accountId: 'acme', stackId: 'shop', keyId: 'web' },
    response: writtenResponse({
      id: `resp_${id}`,
      object: 'response',
      model: 'tiny',
      status: 'completed',
      output: [{ ...oddItem(`msg_${id}_0`, text), type: 'message' }],
      usage: { input_tokens: 1 },
      metadata: { a: 'b' },
    }),
    input: [oddItem(`msg_${id}_i_0`, `asked ${id}`)],
    previousId: undefined,
    conversationId: undefined,
    ...rest,
  };
}

/** Contract of every store of responses and conversations; `make` gives empty ones with the stacks `shop` and `other`. */
export function describeResponseStore(name: string, make: () => Promise<StoresUnderTest>): void {
  describe(`${name} as a store of responses`, () => {
    let store: ResponseStore;
    let conversations: ConversationStore;
    beforeEach(async () => {
      ({ store, conversations } = await make());
    });

    it.each([10, 70_000, 2_000_000])(
      'gives back what was answered, byte for byte, with %i characters',
      async (size) => {
        const saved = newResponse('a', { text: 'ü'.repeat(size) });
        await store.save(saved);
        expect(JSON.stringify(await store.find('shop', 'resp_a'))).toBe(
          JSON.stringify(readResponse(saved.response)),
        );
        expect(JSON.stringify(await store.findInput('shop', 'resp_a'))).toBe(JSON.stringify(saved.input));
      },
    );

    it('knows nothing of another stack', async () => {
      await store.save(newResponse('a'));
      expect(await store.find('other', 'resp_a')).toBeUndefined();
      expect(await store.findInput('other', 'resp_a')).toBeUndefined();
      expect(await store.remove('other', 'resp_a')).toBe(false);
      expect(await store.readChain('other', 'resp_a', BOUNDS)).toEqual({ kind: 'missing', id: 'resp_a' });
      expect(await store.findItems('other', ['msg_a_0'])).toEqual(new Map());
      await store.save(
        newResponse('b', {
          owner: { accountId: 'acme', stackId: 'other', keyId: 'web' },
          previousId: 'resp_a',
        }),
      );
      expect(await store.readChain('other', 'resp_b', BOUNDS)).toEqual({ kind: 'missing', id: 'resp_a' });
    });

    it('reads a chain from its oldest response on, within its bounds', async () => {
      await saveChain('a', 'b', 'c');
      const chain = await store.readChain('shop', 'resp_c', BOUNDS);
      const ids = chain.kind === 'whole' ? chain.items.map(({ id }) => id) : [];
      expect(ids).toEqual(['a', 'b', 'c'].flatMap((id) => [`msg_${id}_i_0`, `msg_${id}_0`]));
      expect(await store.readChain('shop', 'resp_c', { ...BOUNDS, responses: 3 })).toEqual(chain);
      expect(await store.readChain('shop', 'resp_c', { ...BOUNDS, responses: 2 })).toEqual({
        kind: 'too-long',
      });
      expect(await store.readChain('shop', 'resp_c', { ...BOUNDS, bytes: 200 })).toEqual({
        kind: 'too-large',
      });
    });

    it('says which response of a chain is deleted, and which has not ended', async () => {
      await saveChain('a', 'b', 'c');
      expect(await store.remove('shop', 'resp_b')).toBe(true);
      expect(await store.remove('shop', 'resp_b')).toBe(false);
      expect(await store.readChain('shop', 'resp_c', BOUNDS)).toEqual({ kind: 'missing', id: 'resp_b' });
      expect(await store.readChain('shop', 'resp_a', BOUNDS)).toMatchObject({ kind: 'whole' });
      const { response } = newResponse('d');
      await store.save(newResponse('d', { response: { ...response, status: 'in_progress' } }));
      expect(await store.readChain('shop', 'resp_d', BOUNDS)).toEqual({ kind: 'unfinished', id: 'resp_d' });
    });

    it('finds items of requests, answers and conversations', async () => {
      await store.save(newResponse('a', { text: 'x'.repeat(70_000) }));
      const { id } = await conversations.create(newResponse('a').owner, {
        metadata: {},
        items: [oddItem('msg_c')],
      });
      const found = await store.findItems('shop', ['msg_a_0', 'msg_a_i_0', 'msg_c', 'msg_none']);
      expect([...found.keys()].toSorted()).toEqual(['msg_a_0', 'msg_a_i_0', 'msg_c']);
      expect(found.get('msg_a_i_0')).toEqual(newResponse('a').input[0]);
      await store.remove('shop', 'resp_a');
      await conversations.remove('shop', id);
      expect(await store.findItems('shop', ['msg_a_0', 'msg_c'])).toEqual(new Map());
    });

    it('appends to a conversation with the response, or stores neither', async () => {
      const { owner } = newResponse('a');
      const { id } = await conversations.create(owner, { metadata: {}, items: [oddItem('msg_first')] });
      await store.save(newResponse('a', { conversationId: id, text: 'x'.repeat(70_000) }));
      const history = await conversations.readHistory('shop', id, 1_000_000);
      expect(history).toMatchObject({
        kind: 'whole',
        items: [{ id: 'msg_first' }, { id: 'msg_a_i_0' }, { id: 'msg_a_0' }],
      });
      expect(await conversations.readHistory('shop', id, 1_000)).toEqual({ kind: 'too-large' });
      await expect(store.save(newResponse('b', { conversationId: 'conv_none' }))).rejects.toMatchObject({
        code: 'conversation-not-found',
      });
      expect(await store.find('shop', 'resp_b')).toBeUndefined();
    });

    it('keeps conversations with their items in order', async () => {
      const { owner } = newResponse('a');
      const items = ['msg_1', 'msg_2', 'msg_3'].map((id) => oddItem(id));
      const made = await conversations.create(owner, { metadata: { topic: 'ü' }, items });
      const { id } = made;
      expect(id).toMatch(NAMED);
      expect(await conversations.find('shop', id)).toMatchObject({ id, metadata: { topic: 'ü' } });
      expect(await conversations.setMetadata('shop', id, { a: 'b' })).toMatchObject({ metadata: { a: 'b' } });
      const page = await conversations.listItems('shop', id, { limit: 2, order: 'desc' });
      expect(page).toMatchObject({ items: [{ id: 'msg_3' }, { id: 'msg_2' }], hasMore: true });
      const rest = await conversations.listItems('shop', id, { limit: 2, order: 'desc', after: 'msg_2' });
      expect(rest).toEqual({ items: [items[0]], hasMore: false });
      const unknown = conversations.listItems('shop', id, { limit: 2, order: 'asc', after: 'msg_9' });
      await expect(unknown).rejects.toMatchObject({ param: 'after' });
      expect(await conversations.findItem('shop', id, 'msg_2')).toEqual(items[1]);
      expect(await conversations.removeItem('shop', id, 'msg_2')).toBe(true);
      expect(await conversations.removeItem('shop', id, 'msg_2')).toBe(false);
      expect(await conversations.listItems('shop', id, { limit: 9, order: 'asc' })).toEqual({
        items: [items[0], items[2]],
        hasMore: false,
      });
    });

    it('knows no conversation of another stack', async () => {
      const { id } = await conversations.create(newResponse('a').owner, {
        metadata: {},
        items: [oddItem('msg_1')],
      });
      expect(await conversations.find('other', id)).toBeUndefined();
      expect(await conversations.setMetadata('other', id, {})).toBeUndefined();
      expect(await conversations.remove('other', id)).toBe(false);
      expect(await conversations.listItems('other', id, { limit: 1, order: 'asc' })).toBeUndefined();
      expect(await conversations.findItem('other', id, 'msg_1')).toBeUndefined();
      expect(await conversations.removeItem('other', id, 'msg_1')).toBe(false);
      expect(await conversations.readHistory('other', id, 1_000)).toEqual({ kind: 'missing' });
      await expect(conversations.append('other', id, [])).rejects.toMatchObject({
        code: 'conversation-not-found',
      });
    });

    async function saveChain(...ids: readonly string[]): Promise<void> {
      for (const [index, id] of ids.entries()) {
        const previous = ids[index - 1];
        await store.save(newResponse(id, { previousId: previous && `resp_${previous}` }));
      }
    }
  });
}
