import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, textKey } from '../../testing/http-gateway.ts';
import { BrokenBlobStore } from '../../testing/images/broken-blob-store.ts';
import { makeImage } from '../../testing/images/make-image.ts';
import { MemoryGallery } from '../../testing/images/memory-gallery.ts';
import { parseBlobKey } from '../blobs/blob-key.ts';
import type { StoredImage } from '../images/gallery.ts';
import { readBlob } from '../store/read-blob.ts';

const never = new AbortController().signal;
const unknownId = `img_${'0'.repeat(32)}`;

describe('the image gallery', () => {
  let gallery: MemoryGallery;
  let gateway: HttpGateway;
  let image: StoredImage;
  beforeEach(async () => {
    gallery = new MemoryGallery();
    gateway = await HttpGateway.start({ gallery });
    image = await gallery.keep(makeImage(), never);
  });
  afterEach(() => gateway[Symbol.asyncDispose]());

  it('answers with the PNG and the headers for a cache', async () => {
    const answer = await png(image.id);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(makeImage().png);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('etag')).toBe(`"${image.sha256}"`);
    expect(answer.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(answer.headers.get('last-modified')).toBe(image.createdAt.toUTCString());
  });

  it('says 503 and when to come back while its storage cannot be read', async () => {
    const blobs = new BrokenBlobStore();
    blobs.getFailure = new Error('SlowDown');
    gallery.readPng = (_stackId, _id, signal) => readBlob(blobs, parseBlobKey('images/one.png'), signal);
    const { status, headers, body } = await call(gateway, { path: `/v1/images/${image.id}`, key: goodKey });
    expect([status, headers['retry-after'], JSON.parse(body)]).toMatchObject([
      503,
      '5',
      { error: { type: 'server_error', code: 'storage_away' } },
    ]);
    const known = await png(image.id, { 'if-none-match': `"${image.sha256}"` });
    expect(known.status).toBe(304);
  });

  it.each([
    ['its tag', () => `"${image.sha256}"`, 304],
    ['its tag among others, weak', () => `"x", W/"${image.sha256}"`, 304],
    ['anything', () => '*', 304],
    ['another tag', () => '"x"', 200],
  ])('answers If-None-Match with %s', async (_, tag, status) => {
    const answer = await png(image.id, { 'if-none-match': tag() });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('etag')).toBe(`"${image.sha256}"`);
    if (status === 304) expect(answer.headers.get('content-length')).toBeNull();
  });

  it('keeps a connection in order after a 304', async () => {
    await using client = await gateway.connect();
    const head = `GET /v1/images/${image.id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${goodKey}\r\n`;
    await client.send(Buffer.from(`${head}if-none-match: *\r\n\r\n`));
    expect((await client.answer({ bodyless: true })).status).toBe(304);
    await client.send(Buffer.from(`${head}if-none-match: *\r\n\r\n`));
    expect((await client.answer({ bodyless: true })).status).toBe(304);
  });

  it('lets no cache keep an image longer than it is kept here', async () => {
    const shortLived = new MemoryGallery(0);
    const kept = await shortLived.keep(makeImage(), never);
    await using other = await HttpGateway.start({ gallery: shortLived });
    const answer = await fetch(`${other.url}/v1/images/${kept.id}`, {
      headers: { authorization: `Bearer ${goodKey}` },
    });
    expect(answer.headers.get('cache-control')).toBe('private, max-age=0');
  });

  it('shows the parameters of an image, its seed to the last digit', async () => {
    const { status, body } = await call(gateway, { path: `/v1/images/${image.id}/meta`, key: goodKey });
    expect(status).toBe(200);
    expect(body).toContain('"seed":18446744073709551615}');
    expect(JSON.parse(body)).toMatchObject({
      id: image.id,
      object: 'image',
      created_at: image.createdAt.toISOString(),
      expires_at: image.expiresAt.toISOString(),
      key: 'web',
      route: 'generations',
      prompt: 'a watercolour fox',
      width: 1024,
      guidance_scale: 1.5,
      reference_images: 0,
      unknown_words: ['watercolour'],
      size_bytes: image.sizeBytes,
      sha256: image.sha256,
    });
  });

  it('lists newest first, page by page', async () => {
    await gallery.keep(makeImage({ keyId: 'app' }), never);
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await call(gateway, { path: `/v1/images?limit=1${cursor}`, key: goodKey });
      const page: unknown = JSON.parse(body);
      expect(page).toMatchObject({ object: 'list', data: [{ object: 'image' }] });
      const { data, next_cursor, has_more } = page as {
        data: { id: string }[];
        next_cursor: string | null;
        has_more: boolean;
      };
      ids.push(...data.map(({ id }) => id));
      expect(has_more).toBe(next_cursor !== null);
      if (next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    expect(new Set(ids).size).toBe(2);
    const { body } = await call(gateway, { path: '/v1/images?key=web', key: goodKey });
    expect(JSON.parse(body).data.map(({ id }: { id: string }) => id)).toEqual([image.id]);
    const later = await call(gateway, { path: '/v1/images?created_from=2999-01-01', key: goodKey });
    expect(JSON.parse(later.body)).toEqual({ object: 'list', has_more: false, next_cursor: null, data: [] });
  });

  it.each([
    ['limit=0', '`limit` must be an integer from 1 to 100, got "0".'],
    ['limit=101', '`limit` must be an integer from 1 to 100, got "101".'],
    ['limit=x', '`limit` must be an integer from 1 to 100, got "x".'],
    ['cursor=x', '`cursor` must be the `next_cursor` of an earlier page.'],
    [
      'created_from=yesterday',
      '`created_from` must be an ISO 8601 time such as 2026-01-31T12:00:00Z, got "yesterday".',
    ],
    [
      'created_before=2026-13-01',
      '`created_before` must be an ISO 8601 time such as 2026-01-31T12:00:00Z, got "2026-13-01".',
    ],
  ])('refuses the query %s', async (query, detail) => {
    const { status, body } = await call(gateway, { path: `/v1/images?${query}`, key: goodKey });
    expect([status, JSON.parse(body)]).toEqual([400, { detail }]);
  });

  it('deletes once', async () => {
    const ask = { method: 'DELETE', path: `/v1/images/${image.id}`, key: goodKey };
    const first = await call(gateway, ask);
    expect([first.status, JSON.parse(first.body)]).toEqual([
      200,
      { id: image.id, object: 'image', deleted: true },
    ]);
    expect((await call(gateway, ask)).status).toBe(404);
  });

  it.each([
    ['GET', ''],
    ['GET', '/meta'],
    ['DELETE', ''],
  ])('has no images of other stacks, and none that do not exist: %s …%s', async (method, suffix) => {
    for (const [key, id] of [
      [textKey, image.id],
      [goodKey, unknownId],
      [goodKey, 'img_..%2f'],
    ] as const) {
      const answer = await call(gateway, { method, path: `/v1/images/${id}${suffix}`, key });
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        404,
        { detail: 'This stack has no such image, or has it no more.' },
      ]);
    }
    expect(await gallery.find('shop', image.id, never)).toBeDefined();
  });

  it('names the methods that its paths take', async () => {
    const answer = await call(gateway, { method: 'PUT', path: `/v1/images/${image.id}`, key: goodKey });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, DELETE, HEAD']);
    const generations = await call(gateway, { method: 'GET', path: '/v1/images/generations', key: goodKey });
    expect([generations.status, generations.headers.allow]).toEqual([405, 'POST']);
  });

  function png(id: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${gateway.url}/v1/images/${id}`, {
      headers: { authorization: `Bearer ${goodKey}`, ...headers },
    });
  }
});
