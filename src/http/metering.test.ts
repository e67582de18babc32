import { afterEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, textKey } from '../../testing/http-gateway.ts';
import { FakePdfEngine } from '../../testing/pdf/fake-pdf-engine.ts';
import { scriptedRoute } from '../../testing/scripted-route.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import type { TokenBudget } from '../access/token-budget.ts';
import { Fault } from '../faults/fault.ts';

const nothing = { promptTokens: 0, completionTokens: 0, pages: 0, images: 0, pdfPages: 0 };
const GENERATE = '/v1/documents/generate';
const CHAT = '/v1/chat/completions';
const chatBody = '{"model": "tiny", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 50}';
let gateway: HttpGateway;
let engine: FakeTextEngine;
let pdfEngine: FakePdfEngine;

async function start(options: Parameters<typeof HttpGateway.start>[0] = {}): Promise<void> {
  engine = new FakeTextEngine();
  pdfEngine = new FakePdfEngine();
  gateway = await HttpGateway.start({ engines: [['gpu', engine]], pdfEngine, ...options });
}

afterEach(() => gateway[Symbol.asyncDispose]());

describe('the usage of a PDF', () => {
  it('is its pages, and the tokens of a model that wrote it', async () => {
    await start();
    await call(gateway, jsonCall(GENERATE, goodKey, '{"html": "<p>Hi"}'));
    await call(gateway, jsonCall(GENERATE, goodKey, '{"user": "A letter"}'));
    expect(gateway.usage.ended).toMatchObject([
      { ...nothing, endpoint: GENERATE, model: undefined, pdfPages: 3 },
      { ...nothing, endpoint: GENERATE, model: 'tiny', pdfPages: 3, promptTokens: 10, completionTokens: 2 },
    ]);
  });

  it('has the tokens also where printing fails', async () => {
    await start();
    pdfEngine.failure = new Fault('html-unrenderable', 'No.');
    await call(gateway, jsonCall(GENERATE, goodKey, '{"user": "A letter"}'));
    expect(gateway.usage.ended).toMatchObject([{ outcome: 'client', pdfPages: 0, promptTokens: 10 }]);
  });
});

describe('the usage of any other request', () => {
  it('is the request, by the pattern of its path', async () => {
    await start();
    await call(gateway, { path: '/v1/models/tiny', key: goodKey });
    await call(gateway, { path: '/v1/models/none', key: goodKey });
    await call(gateway, { path: '/v1/nowhere', key: goodKey });
    await call(gateway, { path: '/healthz' });
    expect(gateway.usage.ended).toMatchObject([
      { ...nothing, endpoint: '/v1/models/:id', outcome: 'ok' },
      { ...nothing, endpoint: '/v1/models/:id', outcome: 'client' },
    ]);
  });

  it('is recorded where the plan refuses it', async () => {
    await start();
    await call(gateway, jsonCall('/v1/images/generations', textKey));
    expect(gateway.usage.ended).toMatchObject([{ outcome: 'client', caller: { stack: { id: 'text' } } }]);
  });

  it.each([
    ["of Node's server", { path: '/v1/models', key: goodKey }],
    ['of the fast path', jsonCall(CHAT, goodKey, chatBody)],
    ['that is refused', jsonCall('/v1/images/generations', textKey)],
  ])('is secured after it was recorded, before an answer %s is complete', async (_, request) => {
    const events: string[] = [];
    const recorder = {
      record: () => void events.push('recorded'),
      secure: () => void events.push('secured'),
    };
    await start({ recorder });
    await call(gateway, request);
    expect(events).toEqual(['recorded', 'secured']);
  });

  it('is recorded once where the gateway itself fails, or its client leaves', async () => {
    const handle = () => {
      throw new Error('a bug');
    };
    const stuck = scriptedRoute({
      path: '/v1/stuck',
      handle: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    await start({ routes: [scriptedRoute({ handle }), stuck] });
    await call(gateway, jsonCall('/v1/scripted', goodKey));
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
    const left = fetch(`${gateway.url}/v1/stuck`, {
      method: 'POST',
      headers,
      body: '{}',
      signal: leaving.signal,
    });
    await expect.poll(() => gateway.inFlight()).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => gateway.usage.ended.length).toBe(2);
    expect(gateway.usage.ended.map(({ outcome }) => outcome)).toEqual(['server', 'gone']);
  });
});

describe('the token budget', () => {
  const directory = new FakeCallerDirectory();
  directory.add(goodKey, makeCaller({ limits: { tokensPerDay: 1_000 } }));
  const history: string[] = [];
  // A prompt of some twenty bytes, and the tokens that an answer may always have.
  const RESERVED = 'reserved 8002';
  const chat = async () => {
    const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
    return (await fetch(gateway.url + CHAT, { method: 'POST', headers, body: chatBody })).status;
  };
  const budget: TokenBudget = {
    reserve: (_caller, expected) => {
      history.push(`reserved ${expected}`);
      return {
        settle: (tokens) => {
          history.push(`settled ${tokens}`);
          return { day: '2026-01-01', tokens };
        },
        release: () => history.push('released'),
      };
    },
  };

  it('is reserved before the model is asked, and settled with the tokens used', async () => {
    history.length = 0;
    await start({ directory, budget });
    expect(await chat()).toBe(200);
    expect(history).toEqual([RESERVED, 'settled 12']);
  });

  it('is returned if nothing was used', async () => {
    history.length = 0;
    await start({ directory, budget });
    engine.script = [new Fault('engine-failed', 'No.')];
    expect(await chat()).toBe(502);
    expect(history).toEqual([RESERVED, 'released']);
  });

  it('is not used by requests without a model', async () => {
    history.length = 0;
    await start({ directory, budget });
    await call(gateway, jsonCall(GENERATE, goodKey, '{"html": "<p>Hi"}'));
    await call(
      gateway,
      jsonCall('/v1/messages/count_tokens', goodKey, '{"messages": [{"role": "user", "content": "a"}]}'),
    );
    expect(history).toEqual([]);
  });

  it('refuses before the model is asked', async () => {
    const spent: TokenBudget = {
      reserve: () => {
        throw new Fault('rate-limited', 'Nothing is left.');
      },
    };
    await start({ directory, budget: spent });
    expect(await chat()).toBe(429);
    expect([engine.asked, gateway.usage.ended[0]?.outcome]).toEqual([[], 'limit']);
  });
});
