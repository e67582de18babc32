import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { uploadFile } from '../../testing/files/upload-file.ts';
import { type Call, call } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { MemoryKnowledgeStore } from '../../testing/knowledge/memory-knowledge-store.ts';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { storageRoom } from '../../testing/storage-room.ts';
import { Fault } from '../faults/fault.ts';
import { newDocumentId } from '../knowledge/document-id.ts';
import type { FoundChunk, KnowledgeSearch } from '../knowledge/knowledge-search.ts';

const never = new AbortController().signal;
const [WRITER, READER, STRANGER, OTHER] = ['sk-write', 'sk-read', 'sk-none', 'sk-other'];
const BOUNDED = 'sk-bounded';
const ROOM = 3;
const STORAGE_BYTES = 20;
const text = (name: string, content = '# Opening hours'): TestPart => ({
  name: 'file',
  fileName: name,
  bytes: Buffer.from(content),
});

const found = (text: string, words: number): FoundChunk => ({
  documentId: 'doc_1',
  documentName: 'handbook.md',
  position: 0,
  headings: ['Hours'],
  text,
  score: 1.23456,
  words,
  meaning: undefined,
  relevance: 0.5,
});

interface KnowledgeAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes.
  readonly body: any;
}

describe('/v1/knowledge', () => {
  let store: MemoryKnowledgeStore;
  let gateway: HttpGateway;
  let stored: number;
  let freeBytes: number | undefined;
  beforeEach(async () => {
    store = new MemoryKnowledgeStore(ROOM);
    const directory = new FakeCallerDirectory();
    directory.add(WRITER, makeCaller({ key: { knowledge: 'write' } }));
    directory.add(READER, makeCaller({ key: { knowledge: 'read' } }));
    directory.add(STRANGER, makeCaller());
    directory.add(OTHER, makeCaller({ stack: { id: 'other' }, key: { knowledge: 'write' } }));
    const limits = { storageBytes: STORAGE_BYTES };
    directory.add(BOUNDED, makeCaller({ stack: { id: 'bounded' }, key: { knowledge: 'write' }, limits }));
    const storage = storageRoom({
      book: { storedBytes: async () => stored },
      freeBytes: async () => freeBytes,
    });
    [stored, freeBytes] = [0, undefined];
    const search: KnowledgeSearch = {
      search: async (stackId, question, { most }) => [found(`${stackId}: ${question}`, most)],
    };
    gateway = await HttpGateway.start({ knowledge: store, directory, storage, search });
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  it('finds passages of the stack of the key, with their scores', async () => {
    const json = { 'content-type': 'application/json' };
    const searched = (key: string, asked: object) =>
      ask({ method: 'POST', path: '/v1/knowledge/search', headers: json, body: JSON.stringify(asked) }, key);
    expect(await searched(READER, { query: 'When?', limit: 3 })).toEqual({
      status: 200,
      body: {
        object: 'list',
        data: [
          {
            document_id: 'doc_1',
            document: 'handbook.md',
            page: null,
            score: 0.5,
            text: 'shop: When?',
            headings: ['Hours'],
            words: 3,
            meaning: null,
            fused: 1.2346,
          },
        ],
      },
    });
    expect((await searched(STRANGER, { query: 'When?' })).status).toBe(403);
    expect((await searched(READER, { query: '' })).status).toBe(400);
    expect((await searched(READER, { query: 'When?', limit: 51 })).status).toBe(400);
  });

  it('takes one document or several, and answers with their states', async () => {
    const { status, body } = await add([text('a.md'), text('b.csv', 'x,y\n1,2')]);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      data: [
        {
          id: expect.stringMatching(/^doc_[0-9a-f]{32}$/),
          object: 'knowledge.document',
          name: 'a.md',
          size_bytes: 15,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          state: 'queued',
          progress: 0,
          failure: null,
          searchable: false,
          chunks: 0,
          declared: false,
          source: null,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
        expect.objectContaining({ name: 'b.csv', size_bytes: 7 }),
      ],
    });
  });

  it('replaces by name, which the form may give', async () => {
    const first = await add([text('C:\\files\\a.md')]);
    const second = await add([text('new.md', 'other'), { name: 'name', text: ' a.md ' }]);
    expect(second.body.data[0]).toMatchObject({ id: first.body.data[0].id, name: 'a.md', size_bytes: 5 });
  });

  it('takes stored files of the stack by their ids, beside others', async () => {
    const id = await uploadFile(gateway, WRITER, { name: 'stored.md', bytes: '# Stored' });
    const { body } = await add([text('a.md'), { name: 'file_id', text: id }]);
    expect(body.data).toMatchObject([{ name: 'a.md' }, { name: 'stored.md', size_bytes: 8 }]);
    const foreign = await uploadFile(gateway, OTHER, { name: 'b.md', bytes: '# Foreign' });
    expect(await add([{ name: 'file_id', text: foreign }])).toMatchObject({
      status: 400,
      body: { error: { param: 'file_id' } },
    });
  });

  it('lists by name with a cursor, and shows one', async () => {
    await add([text('b.md'), text('a.md'), text('c.md')]);
    const first = await get('/v1/knowledge?limit=2', READER);
    expect(first.body).toMatchObject({
      object: 'list',
      has_more: true,
      data: [{ name: 'a.md' }, { name: 'b.md' }],
    });
    const second = await get(`/v1/knowledge?limit=2&cursor=${first.body.next_cursor}`, READER);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null, data: [{ name: 'c.md' }] });
    const { id } = second.body.data[0];
    expect((await get(`/v1/knowledge/${id}`, READER)).body).toEqual(second.body.data[0]);
  });

  it('removes once', async () => {
    const { id } = (await add([text('a.md')])).body.data[0];
    const removal = { method: 'DELETE', path: `/v1/knowledge/${id}` };
    expect(await ask(removal)).toMatchObject({
      status: 200,
      body: { id, object: 'knowledge.document', deleted: true },
    });
    expect(await ask(removal)).toMatchObject({
      status: 404,
      body: { error: { code: 'document_not_found' } },
    });
  });

  it.each([
    ['GET', '', [WRITER, READER]],
    ['GET', '/doc', [WRITER, READER]],
    ['POST', '', [WRITER]],
    ['DELETE', '/doc', [WRITER]],
  ])('%s /v1/knowledge%s needs a key with that access', async (method, suffix, allowed) => {
    for (const key of [WRITER, READER, STRANGER]) {
      const { status, body } = await ask({ method, path: `/v1/knowledge${suffix}` }, key);
      expect([key, status === 403]).toEqual([key, !allowed.includes(key)]);
      if (status !== 403) continue;
      expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'knowledge_not_allowed' });
      expect(body.error.message).toMatch(/^This needs a key with `knowledge: (read|write)`; this one has /);
    }
  });

  it.each(['GET', 'DELETE'])(
    'has no documents of other stacks, and none that do not exist: %s',
    async (method) => {
      const { id } = (await add([text('a.md')])).body.data[0];
      for (const [key, path] of [
        [OTHER, id],
        [WRITER, newDocumentId()],
        [WRITER, 'x'],
      ] as const) {
        const answer = await ask({ method, path: `/v1/knowledge/${path}` }, key);
        expect([answer.status, answer.body.error.message]).toEqual([
          404,
          'This stack has no such document, or has it no more.',
        ]);
      }
      expect((await get('/v1/knowledge', OTHER)).body.data).toEqual([]);
      expect(await store.find('shop', id)).toBeDefined();
    },
  );

  it.each<[string, readonly TestPart[], number, string | null, string]>([
    ['no file', [{ name: 'name', text: 'x' }], 400, 'invalid_request', 'Send at least one document'],
    [
      'two files and a name',
      [text('a'), text('b'), { name: 'name', text: 'x' }],
      400,
      'invalid_request',
      '`name` goes with one',
    ],
    ['two of one name', [text('a'), text('a')], 400, 'invalid_request', 'the same name'],
    ['no name', [text('x/')], 400, 'invalid_request', 'A document needs a name'],
    ['a name too long', [text('x'.repeat(256))], 400, 'invalid_request', '1 to 255 characters'],
    ['no bytes', [text('a.md', '')], 400, 'document_empty', '"a.md" has no bytes'],
    ['a picture', [text('a.md', 'GIF89a\0\0\0\0')], 400, 'document_unreadable', '"a.md" is a picture'],
    ['other bytes', [text('a.md', '\0\x01\x02\x03')], 400, 'document_unreadable', '"a.md" is no text'],
    ['one bad of two', [text('a.md'), text('b.md', '')], 400, 'document_empty', '"b.md" has no bytes'],
    [
      'too many',
      Array.from({ length: 101 }, (_, index) => text(`${index}`)),
      400,
      'invalid_request',
      'got 101',
    ],
  ])('refuses %s, and keeps nothing', async (_, parts, status, code, message) => {
    const answer = await add(parts);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.message).toContain(message);
    expect((await store.list({ stackId: 'shop', limit: 9 })).documents).toEqual([]);
  });

  it('refuses a form that is larger than a document and its frame', async () => {
    const { status, body } = await ask({
      method: 'POST',
      path: '/v1/knowledge',
      headers: { 'content-type': multipartType, 'content-length': String(50_000_000 + 1024 * 1024 + 1) },
    });
    expect([status, body.error.type]).toEqual([413, 'invalid_request_error']);
  });

  it('does not change documents of the configuration file', async () => {
    const own = { stackId: 'shop', name: 'a.md', bytes: Buffer.from('x'), declared: true };
    const { id } = await store.save(own, never);
    for (const refused of [
      await add([text('a.md')]),
      await ask({ method: 'DELETE', path: `/v1/knowledge/${id}` }),
    ]) {
      expect([refused.status, refused.body.error]).toEqual([
        409,
        {
          message:
            'The document "a.md" is declared in the configuration of the gateway, and can be changed there only.',
          type: 'invalid_request_error',
          param: null,
          code: 'document_declared',
        },
      ]);
    }
    expect((await store.find('shop', id))?.sizeBytes).toBe(1);
  });

  it('says when a stack is full, and when nothing can be stored', async () => {
    await add([text('1'), text('2'), text('3')]);
    expect(await add([text('4')])).toMatchObject({
      status: 409,
      body: { error: { code: 'knowledge_full' } },
    });
    store.failure = new Fault('document-not-stored', 'The document could not be stored.');
    expect(await add([text('1', 'new')])).toMatchObject({ status: 502 });
  });

  it('refuses documents over the storage of the stack with 429, before anything is kept; /v1/limits shows the storage', async () => {
    stored = 10;
    expect(await add([text('a.md', '12345'), text('b.md', '123456')], BOUNDED)).toMatchObject({
      status: 429,
      body: { error: { code: 'storage_quota_exceeded', type: 'rate_limit_error' } },
    });
    expect((await get('/v1/knowledge', BOUNDED)).body.data).toEqual([]);
    expect((await add([text('a.md', '1234567890')], BOUNDED)).status).toBe(200);
    const { data } = (await get('/v1/limits', BOUNDED)).body;
    expect(data).toContainEqual(
      expect.objectContaining({
        name: 'storage_bytes',
        scope: 'stack',
        limit: STORAGE_BYTES,
        used: 10,
        remaining: 10,
      }),
    );
  });

  it('refuses with 503 where the disk is nearly full, and goes on with everything else', async () => {
    freeBytes = 1_000;
    expect(await add([text('a.md')])).toMatchObject({
      status: 503,
      body: { error: { code: 'storage_full' } },
    });
    expect((await get('/v1/knowledge', READER)).status).toBe(200);
  });

  it.each(['limit=0', 'limit=101', 'cursor=!'])('refuses the query %s', async (query) => {
    expect((await get(`/v1/knowledge?${query}`, READER)).status).toBe(400);
  });

  it('refuses JSON', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await ask({ method: 'POST', path: '/v1/knowledge', headers: json, body: '{}' })).status).toBe(
      415,
    );
  });

  const add = (parts: readonly TestPart[], key = WRITER) =>
    ask(
      {
        method: 'POST',
        path: '/v1/knowledge',
        headers: { 'content-type': multipartType },
        body: multipartBody(parts),
      },
      key,
    );
  const get = (path: string, key: string) => ask({ path }, key);

  async function ask(request: Call, key = WRITER): Promise<KnowledgeAnswer> {
    const { status, body } = await call(gateway, { key, ...request });
    return { status, body: JSON.parse(body) };
  }
});
