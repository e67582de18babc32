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

const SHOWN = [
  { document_id: 'doc_a', document: 'prices.csv', page: null, score: 1, text: 'Shoe | 10 €' },
  { document_id: 'doc_b', document: 'returns.md', page: null, score: 1, text: shoes.text },
];

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

  const chat = (stream: boolean, key: string, system?: string, more = {}) => {
    const user = { role: 'user', content: 'Can shoes be sent back, and when?' };
    const messages = system === undefined ? [user] : [{ role: 'system', content: system }, user];
    return gateway.chat({ stream, messages, ...more }, key).answer();
  };
  const messages = (stream: boolean, key: string, system?: string, more = {}) => {
    const user = { role: 'user', content: 'Can shoes be sent back, and when?' };
    return gateway.messages({ stream, messages: [user], system, ...more }, key).answer();
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

    it('is shown to a caller that asks for it, once and at the end', async () => {
      const answer = await ask(stream, 'sk-a', undefined, { include: ['knowledge'] });
      expect(answer.body.split('"knowledge":')).toHaveLength(2);
      expect(knowledgeIn(answer.body)).toEqual(SHOWN);
      search.found = [];
      const none = await ask(stream, 'sk-a', undefined, { include: ['knowledge', 7] });
      expect(knowledgeIn(none.body)).toEqual([]);
      const unasked = await ask(stream, 'sk-a', undefined, { include: 'knowledge' });
      expect(unasked.body).not.toContain('"knowledge":');
    });

    it('is not looked for by a key without retrieval', async () => {
      const answer = await ask(stream, 'sk-off');
      expect([answer.status, answer.headers[HEADER], systemTold()]).toEqual([200, undefined, 'Be kind.']);
      expect(search.asked).toEqual([]);
    });
  });

  it('is shown by responses, once, in the last event', async () => {
    const body = { model: 'tiny', input: 'Can shoes be sent back, and when?', include: ['knowledge'] };
    const whole = await gateway.post('/v1/responses', body, 'sk-a').answer();
    expect(knowledgeIn(whole.body)).toEqual(SHOWN);
    const streamed = await gateway.post('/v1/responses', { ...body, stream: true }, 'sk-a').answer();
    expect(knowledgeIn(streamed.body)).toEqual(SHOWN);
    expect(streamed.body.split('"knowledge":')).toHaveLength(2);
  });

  /** The `knowledge` of the answer or event that has one. */
  function knowledgeIn(body: string): unknown {
    const data = body.startsWith('{')
      ? [body]
      : body.split('\n').filter((line) => line.startsWith('data: {'));
    const found = data
      .map((line) => JSON.parse(line.replace('data: ', '')))
      .map((item) => item.response ?? item);
    return found.findLast((item) => 'knowledge' in item)?.knowledge;
  }

  function systemTold(): string {
    const { messages: told } = gateway.lastBody as { messages: { role: string; content: string }[] };
    return told.find(({ role }) => role === 'system')?.content ?? '';
  }
});
