import { afterEach, describe, expect, it } from 'vitest';
import { FakeRanker } from '../../testing/documents/fake-ranker.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { ImageGateway } from '../../testing/images/image-gateway.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';

const nothing = { promptTokens: 0, completionTokens: 0, pages: 0, images: 0, pdfPages: 0 };
const EXTRACT = '/v1/documents/extract';
const schema = JSON.stringify({
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
});

let gateway: HttpGateway | undefined;
let engine: FakeTextEngine;

async function start(): Promise<HttpGateway> {
  engine = new FakeTextEngine();
  gateway = await HttpGateway.start({ engines: [['gpu', engine]] });
  return gateway;
}

async function extract({ url }: HttpGateway, content = 'pdf 3: Total 12.50'): Promise<Response> {
  const body = new FormData();
  body.append('file', new Blob([content]), 'a.pdf');
  body.append('schema', schema);
  const headers = { authorization: `Bearer ${goodKey}` };
  return await fetch(url + EXTRACT, { method: 'POST', headers, body });
}

afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
});

describe('the usage of an extraction', () => {
  it('is its pages, and the tokens of every call of the model', async () => {
    const served = await start();
    engine.script = textAnswer('{"total": "much"}');
    expect((await extract(served)).status).toBe(502);
    engine.script = textAnswer('{"total": 12.5}');
    expect((await extract(served)).status).toBe(200);
    expect(served.usage.ended).toMatchObject([
      { ...nothing, endpoint: EXTRACT, outcome: 'server', pages: 3, promptTokens: 20, completionTokens: 4 },
      { ...nothing, endpoint: EXTRACT, outcome: 'ok', pages: 3, promptTokens: 10, completionTokens: 2 },
    ]);
    expect(served.usage.ended[0]?.model).toBe('tiny');
  });

  it('is what its answer says where values are taken from the documents', async () => {
    const ranked = Object.assign(new FakeTextEngine(), { ranker: new FakeRanker('12.50') });
    gateway = await HttpGateway.start({ engines: [['gpu', ranked]] });
    const answer = (await (await extract(gateway, 'pdf 1: Total 12.50 Total 13.50')).json()) as {
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    expect(gateway.usage.ended).toMatchObject([
      {
        pages: 1,
        model: 'tiny',
        promptTokens: answer.usage.prompt_tokens,
        completionTokens: answer.usage.completion_tokens,
      },
    ]);
  });

  it('has no pages where it was refused before anything was read', async () => {
    const served = await start();
    expect((await extract(served, 'pdf 51: long')).status).toBe(413);
    expect(served.usage.ended).toMatchObject([{ ...nothing, outcome: 'client' }]);
  });
});

describe('the usage of images', () => {
  it('is one for each that was painted and stored: one that could not be stored is painted anew by a retry', async () => {
    await using images = await ImageGateway.start();
    await images.generate();
    await images.generate({ steps: 9 });
    images.gallery.failure = new Error('disk full');
    expect((await images.generate()).status).toBeGreaterThanOrEqual(500);
    expect(images.http.usage.ended).toMatchObject([
      { ...nothing, endpoint: '/v1/images/generations', model: 'fake-painter', outcome: 'ok', images: 1 },
      { ...nothing, outcome: 'client' },
      { ...nothing, outcome: 'server' },
    ]);
  });
});
