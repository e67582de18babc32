import { beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { FakeSearch, retrieverOn } from '../../testing/knowledge/fake-search.ts';
import { foundChunk } from '../../testing/knowledge/found-chunks.ts';
import { multipartBody, multipartType } from '../../testing/multipart.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';

const HEADER = 'x-knowledge-sources';
let search: FakeSearch;
beforeEach(() => {
  search = new FakeSearch([foundChunk({ documentName: 'returns.md', headings: ['Shoes'] })]);
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
