import { afterEach, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';

const PATH = '/v1/documents/generate';
let gateway: HttpGateway;
afterEach(() => gateway[Symbol.asyncDispose]());

it('answers 413 in the shape of its family', async () => {
  gateway = await HttpGateway.start();
  const answer = await call(
    gateway,
    jsonCall(PATH, goodKey, JSON.stringify({ html: 'x'.repeat(8_000_001) })),
  );
  expect([answer.status, answer.headers['content-type']]).toEqual([413, 'application/json']);
  expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(String) });
});

it('takes JSON whose escapes make it larger than the HTML, and counts the HTML', async () => {
  const directory = new FakeCallerDirectory();
  directory.add('sk-go', makeCaller({ plan: 'go' }));
  gateway = await HttpGateway.start({ directory });
  const escaped = (count: number) => jsonCall(PATH, 'sk-go', `{"html":"${'\\u00f6'.repeat(count)}"}`);
  expect((await call(gateway, escaped(1_000_000))).status).toBe(200);
  expect((await call(gateway, escaped(1_000_001))).status).toBe(413);
});
