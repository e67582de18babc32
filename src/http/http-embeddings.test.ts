import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { FakeEmbeddings } from '../../testing/knowledge/fake-embeddings.ts';
import { Fault } from '../faults/fault.ts';

let gateway: HttpGateway;
let embeddings: FakeEmbeddings;
beforeEach(async () => {
  embeddings = new FakeEmbeddings();
  gateway = await HttpGateway.start({ embeddings });
});
afterEach(() => gateway[Symbol.asyncDispose]());

async function ask(body: unknown) {
  const answer = await call(gateway, jsonCall('/v1/embeddings', goodKey, JSON.stringify(body)));
  return { status: answer.status, body: JSON.parse(answer.body) };
}

describe('embeddings', () => {
  it('come as numbers, with the tokens that were read', async () => {
    const { status, body } = await ask({ model: 'letters', input: ['a b', 'c'], user: 'someone' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'list',
      data: [
        { object: 'embedding', index: 0 },
        { object: 'embedding', index: 1 },
      ],
      model: 'letters',
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
    expect(body.data[1].embedding).toEqual([0, 0, 1, ...new Array(13).fill(0)]);
  });

  it('come as base64 of the same numbers', async () => {
    const numbers = await ask({ model: 'letters', input: 'some text' });
    const { body } = await ask({ model: 'letters', input: 'some text', encoding_format: 'base64' });
    const bytes = Buffer.from(body.data[0].embedding, 'base64');
    const decoded = Array.from({ length: bytes.length / 4 }, (_, place) => bytes.readFloatLE(place * 4));
    expect(decoded).toEqual(numbers.body.data[0].embedding);
  });

  it.each([
    ['no input', { model: 'letters' }, 'input', 'missing'],
    ['an empty text', { model: 'letters', input: ['a', ''] }, 'input', 'text'],
    ['no texts', { model: 'letters', input: [] }, 'input', 'text'],
    ['tokens', { model: 'letters', input: [1, 2] }, 'input', 'arrays of tokens are not taken'],
    ['lists of tokens', { model: 'letters', input: [[1, 2]] }, 'input', 'arrays of tokens are not taken'],
    [
      'another format',
      { model: 'letters', input: 'a', encoding_format: 'int8' },
      'encoding_format',
      'base64',
    ],
    ['other dimensions', { model: 'letters', input: 'a', dimensions: 8 }, 'dimensions', 'must be 16'],
  ])('are refused with %s', async (_, request, param, words) => {
    const { status, body } = await ask(request);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(words) });
    expect(body.error.param).toMatch(new RegExp(`^${param}`));
  });

  it('take the number of dimensions that the model has', async () => {
    expect((await ask({ model: 'letters', input: 'a', dimensions: 16 })).status).toBe(200);
  });

  it('know one model', async () => {
    const { status, body } = await ask({ model: 'text-embedding-3-small', input: 'a' });
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
    expect(embeddings.calls).toEqual([]);
  });

  it('fail as their engine does, and cost nothing then', async () => {
    embeddings.failure = new Fault('model-not-ready', 'It sleeps.');
    expect((await ask({ model: 'letters', input: 'a' })).status).toBe(503);
    expect(gateway.usage.ended).toMatchObject([{ outcome: 'server', promptTokens: 0 }]);
  });

  it('are part of the usage, and of the budget', async () => {
    await gateway[Symbol.asyncDispose]();
    const directory = new FakeCallerDirectory();
    directory.add(goodKey, makeCaller({ limits: { tokensPerDay: 5 } }));
    gateway = await HttpGateway.start({ embeddings, directory });
    expect((await ask({ model: 'letters', input: ['a b c', 'd e'] })).status).toBe(200);
    expect(gateway.usage.ended).toMatchObject([
      { endpoint: '/v1/embeddings', model: 'letters', promptTokens: 5, completionTokens: 0 },
    ]);
    const { status, body } = await ask({ model: 'letters', input: 'a' });
    expect([status, body.error.code]).toEqual([429, 'token_budget_exceeded']);
    expect(embeddings.calls).toHaveLength(1);
  });
});
