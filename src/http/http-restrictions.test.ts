import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { FakeImageEngine } from '../../testing/images/fake-image-engine.ts';
import { imageService } from '../../testing/images/image-service.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { MemoryGallery } from '../../testing/images/memory-gallery.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import type { KeyRestrictions } from '../access/key-guard.ts';

const never = new AbortController().signal;

function restricted(restrictions: Partial<KeyRestrictions>) {
  const none = { scopes: undefined, allowedIps: undefined, readOnly: false };
  return makeCaller({ key: { restrictions: { ...none, ...restrictions } } });
}

describe('a key with less power', () => {
  const gallery = new MemoryGallery();
  const directory = new FakeCallerDirectory();
  let gateway: HttpGateway;
  beforeAll(async () => {
    directory.add('sk-models', restricted({ scopes: ['models'] }));
    const reader = restricted({ readOnly: true });
    directory.add('sk-reader', { ...reader, key: { ...reader.key, knowledge: 'read' } });
    directory.add(
      'sk-alias',
      makeCaller({ stack: { models: ['tiny', 'alias'] }, key: { models: ['alias'] } }),
    );
    directory.add('sk-painter', makeCaller({ key: { models: ['fake-painter'] } }));
    directory.add('sk-office', restricted({ allowedIps: ['192.0.2.0/24'] }));
    directory.add('sk-own', makeCaller({ key: { id: 'own', ownImagesOnly: true } }));
    directory.add('sk-all', makeCaller());
    const engines = [['gpu', new FakeTextEngine()]] as const;
    const images = imageService([['flux', new FakeImageEngine()]]);
    gateway = await HttpGateway.start({ gallery, directory, engines, images, trustProxy: true });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const error = (type: string, code: string) => ({
    error: { message: expect.any(String), type, param: null, code },
  });

  it.each([
    ['/v1/chat/completions', error('invalid_request_error', 'scope_not_allowed')],
    [
      '/v1/messages',
      {
        type: 'error',
        error: { type: 'permission_error', message: expect.any(String) },
        request_id: expect.any(String),
      },
    ],
    ['/v1/images/generations', { detail: expect.stringContaining('`images`') }],
    ['/mcp', { jsonrpc: '2.0', id: null, error: { code: -32_000, message: expect.any(String) } }],
  ])('is refused at %s in the shape of its family, before its body is looked at', async (path, body) => {
    const answer = await call(gateway, jsonCall(path, 'sk-models', 'no JSON'));
    expect([answer.status, JSON.parse(answer.body)]).toEqual([403, body]);
    expect(gateway.usage.ended.at(-1)).toMatchObject({ endpoint: path, outcome: 'client' });
  });

  it('is served within its scopes', async () => {
    expect((await call(gateway, { path: '/v1/models', key: 'sk-models' })).status).toBe(200);
  });

  const statuses = async (...calls: Parameters<typeof call>[1][]) =>
    await Promise.all(calls.map(async (each) => (await call(gateway, each)).status));

  it('reads, counts, searches and checks, but changes and costs nothing', async () => {
    const hello = [{ role: 'user', content: 'Hello' }];
    expect(
      await statuses(
        { path: '/v1/models', key: 'sk-reader' },
        jsonCall('/v1/messages/count_tokens', 'sk-reader', JSON.stringify({ messages: hello })),
        jsonCall('/v1/responses/input_tokens', 'sk-reader', '{"model": "tiny", "input": "Hello"}'),
        jsonCall('/v1/knowledge/search', 'sk-reader', '{"query": "When?"}'),
        jsonCall('/v1/schemas/check', 'sk-reader', '{"schema": 1}'),
      ),
    ).toEqual([200, 200, 200, 200, 400]);
    expect(
      await statuses(jsonCall('/v1/chat/completions', 'sk-reader'), jsonCall('/v1/embeddings', 'sk-reader'), {
        method: 'DELETE',
        path: '/v1/files/x',
        key: 'sk-reader',
      }),
    ).toEqual([403, 403, 403]);
  });

  it('sees and uses its models alone, in every part of the API', async () => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const asked = (key: string, model: string) => [
      jsonCall('/v1/chat/completions', key, JSON.stringify({ model, messages })),
      jsonCall('/v1/responses', key, JSON.stringify({ model, input: 'Hello' })),
      jsonCall('/v1/messages', key, JSON.stringify({ model, max_tokens: 9, messages })),
      jsonCall('/v1/messages/count_tokens', key, JSON.stringify({ messages })),
      jsonCall('/v1/documents/generate', key, '{"user": "A letter"}'),
      jsonCall('/v1/embeddings', key, '{"model": "letters", "input": "Hello"}'),
    ];
    const listed = JSON.parse((await call(gateway, { path: '/v1/models', key: 'sk-alias' })).body);
    expect(listed.data).toMatchObject([{ id: 'alias' }]);
    expect(await statuses(...asked('sk-alias', 'tiny'))).toEqual([404, 404, 200, 200, 200, 403]);
    expect(await statuses(...asked('sk-alias', 'alias'))).toEqual([200, 200, 200, 200, 200, 403]);
    expect(await statuses(...asked('sk-painter', 'tiny'))).toEqual([404, 404, 403, 403, 403, 403]);
    const paint = (key: string) =>
      call(gateway, jsonCall('/v1/images/generations', key, '{"prompt": "fox"}'));
    const refused = await paint('sk-alias');
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      403,
      { detail: 'This key may not use the model "fake-painter"; its `models` are "alias".' },
    ]);
    expect((await paint('sk-painter')).status).not.toBe(403);
    const last = gateway.usage.ended.findLast(({ endpoint }) => endpoint === '/v1/messages');
    expect(last).toMatchObject({ outcome: 'client' });
    const used = gateway.usage.ended.filter(
      ({ caller, promptTokens }) => caller.models[0] === 'alias' && promptTokens > 0,
    );
    expect(new Set(used.map(({ model }) => model))).toEqual(new Set(['tiny']));
  });

  it.each(['/v1/chat/completions', '/v1/responses'])(
    'is bound to addresses as the log has them: %s',
    async (path) => {
      const from = async (address: string) => {
        const asked = jsonCall(path, 'sk-office');
        const answer = await call(gateway, {
          ...asked,
          headers: { ...asked.headers, 'x-forwarded-for': address },
        });
        return answer.status;
      };
      expect(await from('192.0.2.9')).toBe(400);
      expect(await from('198.51.100.1')).toBe(403);
      expect((await call(gateway, jsonCall(path, 'sk-office'))).status).toBe(403);
    },
  );

  it('sees and deletes only its own images', async () => {
    const own = await gallery.keep({ ...makeImage(), id: `img_${'1'.repeat(32)}`, keyId: 'own' }, never);
    const other = await gallery.keep({ ...makeImage(), id: `img_${'2'.repeat(32)}`, keyId: 'web' }, never);
    const listed = async (path: string, key = 'sk-own') =>
      JSON.parse((await call(gateway, { path, key })).body).data.map(({ id }: { id: string }) => id);
    expect(await listed('/v1/images', 'sk-all')).toEqual([other.id, own.id]);
    expect(await listed('/v1/images')).toEqual([own.id]);
    expect(await listed('/v1/images?key=web')).toEqual([]);
    for (const suffix of ['', '/meta', '/url']) {
      const status = async (id: string) =>
        (await call(gateway, { path: `/v1/images/${id}${suffix}`, key: 'sk-own' })).status;
      expect([await status(own.id), await status(other.id)]).toEqual([200, 404]);
    }
    const remove = async (id: string) =>
      (await call(gateway, { method: 'DELETE', path: `/v1/images/${id}`, key: 'sk-own' })).status;
    expect([await remove(other.id), await remove(own.id)]).toEqual([404, 200]);
    expect(await listed('/v1/images', 'sk-all')).toEqual([other.id]);
  });
});
