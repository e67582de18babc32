import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, jsonCall } from '../../testing/http-call.ts';
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

it('takes a JSON body with a million characters', async () => {
  const body = JSON.stringify('ü"\\'.repeat(300_000));
  expect((await call(gateway, jsonCall(unreadyPath, goodKey, body))).status).toBe(503);
});

// As the fake reader knows them.
it.each([
  ['/v1/documents/extract', 'pdf 1: x'],
  ['/v1/images/extract', 'image 1: x'],
])('answers 503 in the shape of its family without a model: %s', async (path, file) => {
  const body = multipartBody([
    { name: 'file', fileName: 'a', text: file },
    { name: 'schema', text: '{"type": "object"}' },
  ]);
  const headers = { 'content-type': multipartType };
  const answer = await call(gateway, { path, method: 'POST', key: goodKey, headers, body });
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '10']);
});
