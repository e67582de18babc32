import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { FakeSearch, retrieverOn } from '../../testing/knowledge/fake-search.ts';
import { foundChunk } from '../../testing/knowledge/found-chunks.ts';
import { multipartBody, multipartType } from '../../testing/multipart.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
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

describe('no excerpt', () => {
  const schema = JSON.stringify({ type: 'object', properties: { total: { type: 'number' } } });
  const form = multipartBody([
    { name: 'file', fileName: 'a', text: 'pdf 1: Total 12.50' },
    { name: 'schema', text: schema },
  ]);
  const pictures = multipartBody([
    { name: 'file', fileName: 'a', text: 'image 1: Total 12.50' },
    { name: 'schema', text: schema },
  ]);
  const json = 'application/json';

  it.each([
    ['/v1/documents/extract', multipartType, form, '{"total": 12.5}'],
    ['/v1/images/extract', multipartType, pictures, '{"total": 12.5}'],
    ['/v1/documents/generate', json, JSON.stringify({ user: 'A letter about shoes' }), '<p>Hello'],
  ])('is ever looked for by %s', async (path, contentType, body, reply) => {
    const engine = new FakeTextEngine();
    engine.script = textAnswer(reply);
    const directory = new FakeCallerDirectory();
    directory.add('sk-a', makeCaller({ key: { retrieval: true } }));
    await using gateway = await HttpGateway.start({
      directory,
      engines: [['gpu', engine]],
      retriever: retrieverOn(search),
    });
    const answer = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-a', 'content-type': contentType },
      body: new Uint8Array(Buffer.from(body)),
    });
    expect([answer.status, answer.headers.get(HEADER)]).toEqual([200, null]);
    await answer.arrayBuffer();
    expect(engine.asked).not.toEqual([]);
    expect(JSON.stringify(engine.asked)).not.toContain('knowledge base');
    expect(search.asked).toEqual([]);
  });
});
