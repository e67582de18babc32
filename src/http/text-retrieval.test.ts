import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { FakeSearch, retrieverOn } from '../../testing/knowledge/fake-search.ts';
import { foundChunk } from '../../testing/knowledge/found-chunks.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

const HEADER = 'x-knowledge-sources';
const shoes = foundChunk({ documentId: 'doc_b', documentName: 'returns.md', headings: ['Shoes'] });
const prices = foundChunk({ documentId: 'doc_a', documentName: 'prices.csv', text: 'Shoe | 10 €' });
const EXCERPT =
  /^Excerpts from the knowledge base follow\..*\n\n\[prices\.csv\]\n> Shoe \| 10 €\n\n\[returns\.md › Shoes\]\n> Shoes can be sent back within 30 days\.$/;

let search: FakeSearch;
beforeEach(() => {
  search = new FakeSearch([shoes, prices]);
});

describe('the excerpt', () => {
  let gateway: TextGateway;
  beforeEach(async () => {
    const retrieval = true;
    gateway = await TextGateway.start({
      retriever: retrieverOn(search),
      callers: {
        'sk-a': makeCaller({ key: { retrieval } }),
        'sk-kind': makeCaller({ key: { retrieval }, stack: { id: 'kind', systemPrompt: 'Be kind.' } }),
        'sk-off': makeCaller({ key: { retrieval: false }, stack: { systemPrompt: 'Be kind.' } }),
      },
    });
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  const chat = (stream: boolean, key: string, system?: string) => {
    const user = { role: 'user', content: 'Can shoes be sent back, and when?' };
    const messages = system === undefined ? [user] : [{ role: 'system', content: system }, user];
    return gateway.chat({ stream, messages }, key).answer();
  };
  const messages = (stream: boolean, key: string, system?: string) => {
    const user = { role: 'user', content: 'Can shoes be sent back, and when?' };
    return gateway.messages({ stream, messages: [user], system }, key).answer();
  };
  const ways = [
    { wire: 'chat', ask: chat },
    { wire: 'messages', ask: messages },
  ].flatMap((way) => [true, false].map((stream) => ({ ...way, stream })));

  describe.each(ways)('by $wire, stream: $stream', ({ ask, stream }) => {
    it.each([
      ['the caller’s system text', 'sk-kind', 'Answer in verse.', 'Answer in verse.\n\n'],
      ['the prompt of the stack', 'sk-kind', undefined, 'Be kind.\n\n'],
      ['an empty system text', 'sk-kind', '', ''],
      ['none', 'sk-a', undefined, ''],
    ])('stands after %s, and its documents in a header', async (_, key, system, before) => {
      const answer = await ask(stream, key, system);
      expect([answer.status, answer.headers[HEADER]]).toEqual([200, 'doc_a, doc_b']);
      const told = systemTold();
      expect(told.slice(0, before.length)).toBe(before);
      expect(told.slice(before.length)).toMatch(EXCERPT);
      expect(search.asked).toEqual([
        { stackId: key === 'sk-a' ? 'shop' : 'kind', question: 'Can shoes be sent back, and when?' },
      ]);
    });

    it('is none where nothing is relevant enough', async () => {
      search.found = [foundChunk({ relevance: 0.49 })];
      const answer = await ask(stream, 'sk-kind');
      expect([answer.status, answer.headers[HEADER], systemTold()]).toEqual([200, undefined, 'Be kind.']);
    });

    it('is not looked for by a key without retrieval', async () => {
      const answer = await ask(stream, 'sk-off');
      expect([answer.status, answer.headers[HEADER], systemTold()]).toEqual([200, undefined, 'Be kind.']);
      expect(search.asked).toEqual([]);
    });
  });

  function systemTold(): string {
    const { messages: told } = gateway.lastBody as { messages: { role: string; content: string }[] };
    return told.find(({ role }) => role === 'system')?.content ?? '';
  }
});
