import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { MemoryFileStore } from '../../testing/files/memory-file-store.ts';
import { type Call, call, jsonCall } from '../../testing/http-call.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { MemoryGallery } from '../../testing/images/memory-gallery.ts';
import { multipartBody, multipartType, type TestPart } from '../../testing/multipart.ts';
import { storageRoom } from '../../testing/storage-room.ts';
import { newFileId } from '../files/file-id.ts';

const never = new AbortController().signal;
const [KEY, OTHER, BOUNDED] = ['sk-shop', 'sk-other', 'sk-bounded'];
const MAX_FILE_BYTES = 2_000_000;
const STORAGE_BYTES = 100;
const HOUR_MS = 3_600_000;

interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many shapes.
  readonly body: any;
}

describe('files', () => {
  let gateway: HttpGateway;
  let directory: FakeCallerDirectory;
  let gallery: MemoryGallery;
  let nowMs: number;
  let freeBytes: number | undefined;
  beforeEach(async () => {
    nowMs = Date.now();
    freeBytes = undefined;
    gallery = new MemoryGallery();
    directory = new FakeCallerDirectory();
    directory.add(KEY, makeCaller());
    directory.add(OTHER, makeCaller({ stack: { id: 'other' } }));
    const limits = { storageBytes: STORAGE_BYTES, requestsPerMinute: 4 };
    directory.add(BOUNDED, makeCaller({ stack: { id: 'bounded' }, limits }));
    const files = new MemoryFileStore();
    const storedBytes = async (stackId: string) =>
      (await files.list({ stackId, order: 'newest', limit: 99 })).files.reduce(
        (sum, { sizeBytes }) => sum + sizeBytes,
        0,
      );
    gateway = await HttpGateway.start({
      directory,
      gallery,
      files,
      maxFileBytes: MAX_FILE_BYTES,
      clock: { nowMs: () => nowMs },
      storage: storageRoom({ book: { storedBytes }, freeBytes: async () => freeBytes }),
    });
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  describe('/v1/files', () => {
    it('keeps a file and gives it back, in the form of the vendor', async () => {
      const { status, body } = await upload([file('in/voice – 短.pdf', 'bytes'), text('purpose', 'vision')]);
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.stringMatching(/^file_[0-9a-f]{32}$/),
        object: 'file',
        bytes: 5,
        created_at: Math.floor(nowMs / 1000),
        expires_at: expect.any(Number),
        filename: 'voice – 短.pdf',
        purpose: 'vision',
        status: 'processed',
        status_details: null,
      });
      expect(body.expires_at - body.created_at).toBeGreaterThan(29 * 86_400);
      expect((await ask({ path: `/v1/files/${body.id}` })).body).toEqual(body);
      const content = await ask({ path: `/v1/files/${body.id}/content` });
      expect([content.status, content.body]).toEqual([200, 'bytes']);
      expect(content.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': "attachment; filename*=UTF-8''voice%20%E2%80%93%20%E7%9F%AD.pdf",
        'x-content-type-options': 'nosniff',
      });
      expect((await ask({ method: 'DELETE', path: `/v1/files/${body.id}` })).body).toEqual({
        id: body.id,
        object: 'file',
        deleted: true,
      });
      for (const path of [body.id, `${body.id}/content`, `${body.id}/url`])
        expect(await ask({ path: `/v1/files/${path}` })).toMatchObject(notFound);
    });

    it('takes a large file by way of the disk', async () => {
      const large = 'x'.repeat(MAX_FILE_BYTES);
      const { body } = await upload([file('large.txt', large)]);
      expect((await ask({ path: `/v1/files/${body.id}/content` })).body).toBe(large);
      expect(gateway.bodyMemory.heldBytes).toBe(0);
    });

    it('is kept for a shorter time where the client asks for it', async () => {
      const { body } = await upload([
        file('a'),
        text('expires_after[anchor]', 'created_at'),
        text('expires_after[seconds]', '7200'),
      ]);
      expect(Math.abs(body.expires_at - body.created_at - 7_200)).toBeLessThan(60);
    });

    it.each<readonly [string, readonly TestPart[], string]>([
      ['without a file', [], 'file'],
      ['with two files', [file('a'), file('b')], 'file'],
      ['with an empty file', [file('a', '')], 'file'],
      ['with a name that cannot be printed', [file('a\u0007')], 'file'],
      ['with a name that is too long', [file('a'.repeat(256))], 'file'],
      ['with a purpose of several words', [file('a'), text('purpose', 'two words')], 'purpose'],
      ['kept for a minute', [file('a'), text('expires_after[seconds]', '60')], 'expires_after'],
      ['kept from its last use on', [file('a'), text('expires_after[anchor]', 'last_use')], 'expires_after'],
    ])('refuses an upload %s', async (_what, parts, param) => {
      expect(await upload(parts)).toMatchObject({
        status: 400,
        body: { error: { type: 'invalid_request_error', code: 'invalid_request', param } },
      });
    });

    it('refuses a file that is too large', async () => {
      const answer = await upload([file('a', 'x'.repeat(MAX_FILE_BYTES + 1))]);
      expect(answer).toMatchObject({ status: 413, body: { error: { code: 'file_too_large' } } });
    });

    it('lists pages in the form of the vendor', async () => {
      const ids: string[] = [];
      for (const purpose of ['batch', 'vision', 'vision']) {
        ids.push((await upload([file(purpose), text('purpose', purpose)])).body.id);
        nowMs += 1000;
      }
      const [first, second, third] = ids;
      const list = async (query: string) => {
        const { body } = await ask({ path: `/v1/files${query}` });
        return [body.data.map(({ id }: { readonly id: string }) => id), body.has_more];
      };
      expect((await ask({ path: '/v1/files' })).body).toMatchObject({
        object: 'list',
        first_id: third,
        last_id: first,
        has_more: false,
      });
      expect(await list('')).toEqual([[third, second, first], false]);
      expect(await list('?limit=2')).toEqual([[third, second], true]);
      expect(await list(`?limit=2&after=${second}`)).toEqual([[first], false]);
      expect(await list(`?order=asc&limit=10000&after=${first}`)).toEqual([[second, third], false]);
      expect(await list('?purpose=batch')).toEqual([[first], false]);
      expect(await ask({ path: '/v1/files', key: OTHER })).toMatchObject({
        body: { data: [], first_id: null, last_id: null },
      });
      for (const [query, param] of [
        ['limit=0', 'limit'],
        ['limit=10001', 'limit'],
        ['after=x', 'after'],
        ['order=up', 'order'],
        ['purpose=%00', 'purpose'],
      ]) {
        expect(await ask({ path: `/v1/files?${query}` })).toMatchObject({
          status: 400,
          body: { error: { param } },
        });
      }
    });

    it('knows no file of another stack', async () => {
      const { id } = (await upload([file('a')], OTHER)).body;
      for (const each of [
        { path: `/v1/files/${id}` },
        { path: `/v1/files/${id}/content` },
        { path: `/v1/files/${id}/url` },
        { method: 'DELETE', path: `/v1/files/${id}` },
      ])
        expect(await ask(each)).toMatchObject(notFound);
      expect((await ask({ path: `/v1/files/${id}`, key: OTHER })).status).toBe(200);
    });

    it('refuses before any work what is over the quota, and what the disk has no room for', async () => {
      const refused = await upload([file('a', 'x'.repeat(STORAGE_BYTES + 1))], BOUNDED);
      expect(refused).toMatchObject({
        status: 429,
        headers: { 'x-should-retry': 'false' },
        body: { error: { code: 'storage_quota_exceeded' } },
      });
      freeBytes = 1;
      expect(await upload([file('a')])).toMatchObject({
        status: 503,
        body: { error: { code: 'storage_full' } },
      });
      expect((await ask({ path: '/v1/files' })).body.data).toEqual([]);
    });

    it('counts for the usage of the key', async () => {
      await upload([file('a')]);
      expect(gateway.usage.ended.at(-1)).toMatchObject({ endpoint: '/v1/files', outcome: 'ok' });
    });
  });

  describe('links', () => {
    it('give the bytes of a file without a key, for an hour', async () => {
      const { id } = (await upload([file('a.txt', 'bytes')])).body;
      const { body } = await ask({ path: `/v1/files/${id}/url` });
      expect(body).toEqual({
        url: expect.stringMatching(new RegExp(`^http://gateway.test/files/${id}\\?exp=\\d+&sig=`)),
        expires_at: Math.floor(nowMs / 1000) + 3600,
      });
      expect(await open(body.url)).toMatchObject({ status: 200, body: 'bytes' });
      expect(await open(body.url, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
      expect(gateway.usage.ended.at(-1)).toMatchObject({ endpoint: '/files/:id', outcome: 'ok' });
      expect(await open(body.url, { method: 'PUT', body: 'x' })).toMatchObject(linkRefused);
      expect(await open(body.url.replace(id, newFileId(1)))).toMatchObject(linkRefused);
      expect(await open(body.url.replace('sig=shop', 'sig=other'))).toMatchObject(linkRefused);
      await ask({ method: 'DELETE', path: `/v1/files/${id}` });
      expect(await open(body.url)).toMatchObject(notFound);
      nowMs += HOUR_MS;
      expect(await open(body.url)).toMatchObject(linkRefused);
    });

    it('end with the key that made them', async () => {
      const { id } = (await upload([file('a')])).body;
      const { url } = (await ask({ path: `/v1/files/${id}/url` })).body;
      directory.revoke(KEY);
      expect(await open(url)).toMatchObject(linkRefused);
    });

    it('give an image of the gallery', async () => {
      const { id } = await gallery.keep(makeImage(), never);
      const { body } = await ask({ path: `/v1/images/${id}/url` });
      const image = await open(body.url);
      expect([image.status, image.headers['content-type']]).toEqual([200, 'image/png']);
      const { id: foreign } = await gallery.keep(makeImage({ stackId: 'other' }), never);
      expect((await ask({ path: `/v1/images/${foreign}/url` })).status).toBe(404);
      expect(await open(body.url.replace(id, foreign))).toMatchObject(linkRefused);
    });

    it('take the bytes of an announced file once', async () => {
      const { body } = await announce({ filename: 'in/a.txt', bytes: 9, purpose: 'vision' });
      expect(body).toMatchObject({ object: 'file.upload', method: 'PUT', expires_at: expect.any(Number) });
      expect(await ask({ path: `/v1/files/${body.id}` })).toMatchObject(notFound);
      const put = (bytes: string) => open(body.url, { method: 'PUT', body: bytes });
      expect(await put('more than 9')).toMatchObject({
        status: 413,
        body: { error: { code: 'file_too_large' } },
      });
      expect(await put('')).toMatchObject({ status: 400 });
      expect(await open(body.url)).toMatchObject(linkRefused);
      expect(await put('bytes')).toMatchObject({
        status: 200,
        body: { id: body.id, object: 'file', bytes: 5, filename: 'a.txt', purpose: 'vision' },
      });
      expect(await put('others')).toMatchObject({
        status: 409,
        body: { error: { code: 'file_already_uploaded' } },
      });
      expect((await ask({ path: `/v1/files/${body.id}/content` })).body).toBe('bytes');
      await ask({ method: 'DELETE', path: `/v1/files/${body.id}` });
      expect(await put('bytes')).toMatchObject(notFound);
    });

    it('hold to the limits of the stack, its quota and the disk', async () => {
      expect(await announce({ filename: 'a', bytes: STORAGE_BYTES + 1 }, BOUNDED)).toMatchObject({
        status: 429,
        body: { error: { code: 'storage_quota_exceeded' } },
      });
      expect(await announce({ filename: 'a', bytes: MAX_FILE_BYTES + 1 })).toMatchObject({ status: 413 });
      const { url } = (await announce({ filename: 'a', bytes: 5 }, BOUNDED)).body;
      freeBytes = 1;
      expect(await open(url, { method: 'PUT', body: 'bytes' })).toMatchObject({ status: 503 });
      freeBytes = undefined;
      expect(await open(url, { method: 'PUT', body: 'bytes' })).toMatchObject({ status: 200 });
      expect(await open(url, { method: 'PUT', body: 'bytes' })).toMatchObject({
        status: 429,
        body: { error: { type: 'rate_limit_error', code: null } },
      });
    });

    it.each([
      [{}, 'filename'],
      [{ filename: 'a' }, 'bytes'],
      [{ filename: 'a', bytes: 0 }, 'bytes'],
      [{ filename: 'a', bytes: 1, purpose: 'two words' }, 'purpose'],
    ])('refuse the announcement %j', async (body, param) => {
      expect(await announce(body)).toMatchObject({ status: 400, body: { error: { param } } });
    });

    it('begin with the address that clients know', async () => {
      const { id } = (await upload([file('a')])).body;
      const path = `/v1/files/${id}/url`;
      const forwarded = { 'x-forwarded-proto': 'https' };
      expect((await ask({ path, headers: forwarded })).body.url).toMatch(/^http:\/\/gateway\.test\/files\//);
      expect((await ask({ path, headers: { host: 'a"b' } })).body.url).toMatch(/^\/files\//);
      await using proxied = await HttpGateway.start({ trustProxy: true, directory });
      const urlOf = async (of: HttpGateway) => {
        const made = await ask(uploading([file('a')]), of);
        return (await ask({ path: `/v1/files/${made.body.id}/url`, headers: forwarded }, of)).body.url;
      };
      expect(await urlOf(proxied)).toMatch(/^https:\/\/gateway\.test\/files\//);
      await using known = await HttpGateway.start({ publicUrl: 'https://ai.example.com/gate', directory });
      expect(await urlOf(known)).toMatch(/^https:\/\/ai\.example\.com\/gate\/files\//);
    });
  });

  function upload(parts: readonly TestPart[], key = KEY): Promise<FileAnswer> {
    return ask({ ...uploading(parts), key });
  }

  function announce(body: object, key = KEY): Promise<FileAnswer> {
    return ask(jsonCall('/v1/files/uploads', key, JSON.stringify(body)));
  }

  function open(url: string, request: Partial<Call> = {}): Promise<FileAnswer> {
    const { pathname, search } = new URL(url);
    return send({ ...request, path: pathname + search }, gateway);
  }

  function ask(request: Call, of = gateway): Promise<FileAnswer> {
    return send({ key: KEY, ...request }, of);
  }

  async function send(request: Call, of: HttpGateway): Promise<FileAnswer> {
    const { status, headers, body } = await call(of, request);
    const isJson = headers['content-type'] === 'application/json' && body !== '';
    return { status, headers, body: isJson ? JSON.parse(body) : body };
  }
});

const notFound = { status: 404, body: { error: { code: 'file_not_found', param: 'id' } } };
const linkRefused = { status: 403, body: { error: { code: 'link_refused' } } };

function uploading(parts: readonly TestPart[]): Call {
  const headers = { 'content-type': multipartType };
  return { method: 'POST', path: '/v1/files', headers, body: multipartBody(parts) };
}

function file(fileName: string, content = 'content'): TestPart {
  return { name: 'file', fileName, bytes: Buffer.from(content), contentType: 'application/octet-stream' };
}

function text(name: string, value: string): TestPart {
  return { name, text: value };
}
