import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { FakePdfEngine } from '../../testing/pdf/fake-pdf-engine.ts';
import { openAiEngineFor } from '../../testing/text/engine-openai.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';
import { hold } from '../../testing/text/held.ts';
import { Fault } from '../faults/fault.ts';

const PATH = '/v1/documents/generate';
const engine = new FakePdfEngine();
const model = new FakeTextEngine();
let gateway: HttpGateway | undefined;

afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
  engine.failure = undefined;
  engine.hold = undefined;
  engine.jobs.length = 0;
  model.state = 'ready';
  model.documentDrafts = undefined;
  model.scriptFor = undefined;
});

async function start(options: Parameters<typeof HttpGateway.start>[0] = {}): Promise<HttpGateway> {
  gateway = await HttpGateway.start({ pdfEngine: engine, engines: [['gpu', model]], ...options });
  return gateway;
}

async function post(body: unknown, { key = goodKey, signal }: { key?: string; signal?: AbortSignal } = {}) {
  if (gateway === undefined) throw new Error('no gateway');
  return await fetch(gateway.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('POST /v1/documents/generate', () => {
  it('answers with the PDF, its pages and its blocked references', async () => {
    await start();
    model.script = textAnswer('<p>Hello');
    for (const body of [{ html: '<p>Hi' }, { user: 'A letter' }]) {
      const answer = await post(body);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(answer.headers.get('x-pdf-pages')).toBe('3');
      expect(answer.headers.get('x-pdf-blocked-references')).toBe('2');
      expect(await answer.text()).toBe('%PDF-1.4 fake');
    }
    expect(engine.jobs.map(({ html }) => html)).toEqual(['<p>Hi', '<p>Hello']);
  });

  it('prints the best draft of a model that may write several', async () => {
    await start();
    model.documentDrafts = 3;
    const page = (text: string) => `<!DOCTYPE html><html><body>${text}</body></html>`;
    const drafts = ['Zoë and Ben', 'Zoë, Ben and 7', 'Zoë, 7, 8'].map(page);
    const before = model.asked.length;
    model.scriptFor = () => textAnswer(drafts[model.asked.length - before - 1] ?? '');
    expect((await post({ user: 'A card for Zoë and Ben: 7 and 8' })).status).toBe(200);
    expect(engine.jobs.map(({ html }) => html)).toEqual([drafts[1]]);
    expect(model.asked.length - before).toBe(3);
  });

  it.each([
    [400, { html: 'x', user: 'y' }],
    [400, {}],
    [400, { html: ' ' }],
    [400, '{"html": '],
    [422, { user: 'x', max_tokens: 16_001 }],
  ])('answers %i in the shape of its family', async (status, body) => {
    await start();
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual({ detail: expect.any(String) });
  });

  it('answers with the failures of the engine and of the model', async () => {
    await start();
    engine.failure = new Fault('pdf-too-long', 'too long');
    expect((await post({ html: 'x' })).status).toBe(413);
    engine.failure = new Fault('html-unrenderable', 'crashed');
    expect((await post({ html: 'x' })).status).toBe(400);
    engine.failure = new Fault('model-not-ready', 'no browser');
    const away = await post({ html: 'x' });
    expect([away.status, Number(away.headers.get('retry-after'))]).toEqual([503, 10]);
    engine.failure = undefined;
    model.script = [new Fault('engine-timeout', 'slow')];
    expect((await post({ user: 'x' })).status).toBe(502);
    model.state = 'degraded';
    expect((await post({ user: 'x' })).status).toBe(503);
    expect((await post({ html: 'x' })).status).toBe(200);
  });

  it('answers 429 with a delay when too many are in flight, at once', async () => {
    const served = await start({ pdfInFlight: 1 });
    const held = hold();
    engine.hold = held.until;
    const first = post({ html: 'first' });
    await expect.poll(() => served.pdf.inFlight).toBe(1);
    const second = await post({ html: 'second' });
    expect(second.status).toBe(429);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await second.json()).toEqual({ detail: expect.stringContaining('this server has 1') });
    held.release();
    expect((await first).status).toBe(200);
    expect((await post({ html: 'third' })).status).toBe(200);
  });

  it('stops when the client leaves', async () => {
    const served = await start();
    const held = hold();
    engine.hold = held.until;
    const leaving = new AbortController();
    const asked = post({ html: 'x' }, { signal: leaving.signal }).catch(() => 'left');
    await expect.poll(() => engine.jobs.length).toBe(1);
    leaving.abort();
    expect(await asked).toBe('left');
    await expect.poll(() => engine.signals.at(-1)?.aborted).toBe(true);
    held.release();
    await expect.poll(() => served.pdf.inFlight).toBe(0);
  });
});

describe('HTML that a server sends in one piece', () => {
  const types = { event: 'text/event-stream', 'whole answer': 'application/json' };
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** Starts a server that answers with all of the HTML at once. */
  async function serve(piece: keyof typeof types, html: string): Promise<string> {
    const words = { content: html };
    const choice = {
      index: 0,
      finish_reason: 'stop',
      ...(piece === 'event' ? { delta: words } : { message: words }),
    };
    const json = JSON.stringify({ choices: [choice], usage: { prompt_tokens: 1, completion_tokens: 1 } });
    const answer = piece === 'event' ? `data: ${json}\n\ndata: [DONE]\n\n` : json;
    const started = createServer((request, response) => {
      const isChat = request.url === '/v1/chat/completions';
      response.setHeader('content-type', isChat ? types[piece] : types['whole answer']);
      request.resume().on('end', () => response.end(isChat ? answer : '{"data": []}'));
    });
    server = started;
    await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  }

  it.each([
    ['event', 200, 1_700_000, 2_000_000],
    ['event', 413, 1_700_000, 1_500_000],
    ['event', 413, 1_700_000, 1_000],
    ['whole answer', 200, 5_000_000, 5_000_000],
    ['whole answer', 413, 5_000_000, 4_999_999],
    ['whole answer', 413, 5_000_000, 1_000],
  ] as const)('as one %s is %i where it has %i bytes of %i', async (piece, status, bytes, htmlBytes) => {
    const asking = openAiEngineFor([{ url: await serve(piece, '<'.padEnd(bytes, '"')) }]);
    const directory = new FakeCallerDirectory();
    const { limits } = makeCaller().plan;
    directory.add(goodKey, makeCaller({ limits: { pdf: { ...limits.pdf, htmlBytes } } }));
    await start({ directory, engines: [['gpu', asking]] });
    await asking.lifecycle.ready(AbortSignal.timeout(20_000));
    const answer = await post({ user: 'x' });
    expect([answer.status, (await answer.text()).slice(0, 9)]).toEqual([
      status,
      status === 200 ? '%PDF-1.4 ' : '{"detail"',
    ]);
    await asking.close();
  });
});
