import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { multipartBody, multipartType } from '../../testing/multipart.ts';
import { unreadyPath, unreadyRoute } from '../../testing/scripted-route.ts';

let gateway: HttpGateway;
beforeAll(async () => {
  gateway = await HttpGateway.start({ routes: [unreadyRoute] });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const jsonPosts = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/images/generations',
  '/v1/documents/generate',
];
// Well-formed for the routes that ask a model; the others take anything.
const textBody = JSON.stringify({
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hello' }],
  prompt: 'a fox',
  user: 'A letter',
});
const formBody = multipartBody([
  { name: 'prompt', text: 'a fox' },
  { name: 'file', fileName: 'a.pdf', text: 'x' },
]);
// /v1/images/edits is tested in images-edits.integration.test.ts.
const formPosts = ['/v1/documents/extract', '/v1/images/extract'];

describe('a content type', () => {
  it.each(jsonPosts)('must be JSON: %s', async (path) => {
    for (const type of [
      undefined,
      '',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/jsonx',
    ]) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const answer = await call(gateway, { path, method: 'POST', key: goodKey, headers, body: '{}' });
      expect([type, answer.status]).toEqual([type, 415]);
      expect(answer.body).toContain('application/json');
    }
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', ' application/json ;a=b']) {
      const headers = { 'content-type': type };
      expect(
        (await call(gateway, { path, method: 'POST', key: goodKey, headers, body: textBody })).status,
      ).toBe(503);
    }
  });

  it.each(formPosts)('must be a form, or nothing at all: %s', async (path) => {
    const request: Call = { path, method: 'POST', key: goodKey };
    const json = await call(gateway, jsonCall(path, goodKey));
    expect([json.status, json.body]).toEqual([415, expect.stringContaining('got application/json')]);
    expect((await call(gateway, request)).status).toBe(422);
    for (const [type, body] of [
      [multipartType, formBody],
      ['application/x-www-form-urlencoded', 'a=b'],
    ] as const) {
      const answer = await call(gateway, { ...request, headers: { 'content-type': type }, body });
      expect(answer.status).toBe(422);
    }
    const malformed = { ...request, headers: { 'content-type': multipartType }, body: 'a=b' };
    expect((await call(gateway, malformed)).status).toBe(400);
  });

  it('may not be compressed', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await call(gateway, { ...jsonCall('/v1/messages', goodKey), headers });
    expect([answer.status, answer.body]).toEqual([415, expect.stringContaining('compressed')]);
    const identity = { ...headers, 'content-encoding': 'identity' };
    expect((await call(gateway, { ...jsonCall(unreadyPath, goodKey), headers: identity })).status).toBe(503);
  });

  it('is not sent back when it is strange', async () => {
    const headers = { 'content-type': '<script>/x' };
    const answer = await call(gateway, { ...jsonCall('/v1/messages', goodKey), headers });
    expect([answer.status, answer.body.includes('script')]).toEqual([415, false]);
  });
});

describe('a JSON body', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each<[string, string | Buffer, number]>([
    ['nothing', '', 400],
    ['blank', ' \n', 400],
    ['cut short', '{"model": "tin', 400],
    ['followed by more', '{} {}', 400],
    ['with a trailing comma', '{"a": 1,}', 400],
    ['with a byte order mark', '\ufeff{}', 400],
    ['not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), 400],
    ['UTF-16', Buffer.from('{}', 'utf16le'), 400],
    ['NaN', 'NaN', 400],
    ['nested 200 deep', nested(200), 503],
    ['nested 201 deep', nested(201), 400],
    ['of 250,000 values', `[${Array(249_999).fill(1).join()}]`, 503],
    ['of 250,001 values', `[${Array(250_000).fill(1).join()}]`, 413],
    ['with brackets in a text', JSON.stringify({ text: '[{'.repeat(10_000) }), 503],
  ])('that is %s', async (_what, body, status) => {
    expect((await call(gateway, jsonCall(unreadyPath, goodKey, body))).status).toBe(status);
  });

  it.each(jsonPosts)('is refused in the shape of the family: %s', async (path) => {
    const answer = await call(gateway, jsonCall(path, goodKey, '{"a": secret}'));
    expect([answer.status, answer.body.includes('secret')]).toEqual([400, false]);
  });
});

describe('a capability that is not there', () => {
  it.each(jsonPosts)('is 503 in the shape of its family: %s', async (path) => {
    const answer = await call(gateway, jsonCall(path, goodKey, textBody));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '10']);
  });
});
