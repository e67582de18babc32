import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { call } from '../../testing/http-call.ts';
import { TextGateway } from '../../testing/text/text-gateway.ts';

const BUDGET = 10_000;
const minute = (requestsPerMinute: number) => ({ requestsPerMinute, concurrentRequests: null });
const callers = {
  'sk-a': makeCaller(),
  'sk-rate': makeCaller({ stack: { id: 'rate' }, plan: 'go', limits: { requestsPerMinute: 2 } }),
  'sk-key': makeCaller({
    stack: { id: 'key', imagePlan: false },
    key: { limits: minute(3) },
    limits: { requestsPerMinute: 60, concurrentRequests: 4 },
  }),
  'sk-money': makeCaller({
    stack: { id: 'money' },
    budgets: [
      { scope: 'account', hardMicros: 1_000_000_000 },
      { scope: 'key', hardMicros: 2_000_000 },
    ],
  }),
  'sk-budget': makeCaller({ stack: { id: 'budget' }, plan: 'pro', limits: { tokensPerDay: BUDGET } }),
};

/** A unit for each token that is not in the cache. */
const price = { input: 1_000_000, cachedInput: 100_000, output: 1_000_000, image: 0 };
const prices = { currency: 'EUR', models: { tiny: price } };

let gateway: TextGateway;
beforeEach(async () => {
  gateway = await TextGateway.start({ callers, prices });
});
afterEach(() => gateway[Symbol.asyncDispose]());

const usedTokens = () =>
  gateway.http.limits.budget.shareOf(callers['sk-budget'])?.usedHere(performance.now()) ?? 0;
/** A call that reserves more than the budget has. */
const spendAll = { max_tokens: BUDGET };

describe('rates', () => {
  it('are told in headers of chat clients, also with a refusal and with a stream', async () => {
    const first = await gateway.chat({}, 'sk-rate').answer();
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '1m0s',
    });
    expect(first.headers).not.toHaveProperty('x-ratelimit-limit-tokens');
    const streamed = await gateway.chat({ stream: true }, 'sk-rate').answer();
    expect(streamed.headers).toMatchObject({
      'content-type': expect.stringContaining('text/event-stream'),
      'x-ratelimit-remaining-requests': '0',
    });
    const refused = await gateway.chat({}, 'sk-rate').answer();
    expect([refused.status, refused.headers['x-ratelimit-remaining-requests']]).toEqual([429, '0']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers).not.toHaveProperty('x-should-retry');
    expect(JSON.parse(refused.body).error.message).toBe(
      'This stack sent 2 requests in the last minute, which is its limit (requests_per_minute, plan go).',
    );
  });

  it('are told in headers of messages clients', async () => {
    const { headers } = await gateway.messages({}, 'sk-rate').answer();
    expect(headers).toMatchObject({
      'anthropic-ratelimit-requests-limit': '2',
      'anthropic-ratelimit-requests-remaining': '1',
      'anthropic-ratelimit-requests-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });

  it('are those of the key or the stack, whichever has less left', async () => {
    const { headers } = await gateway.chat({}, 'sk-key').answer();
    expect(headers).toMatchObject({
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
    });
  });

  it('are not in the headers of a key without rates', async () => {
    for (const answer of [await gateway.chat().answer(), await gateway.messages().answer()]) {
      expect(Object.keys(answer.headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
    }
    expect(gateway.http.limits.book.asked).toBe(0);
  });
});

describe('a token budget', () => {
  it('is reserved before, settled after, and told in headers', async () => {
    const answer = await gateway.chat({ max_tokens: 100 }, 'sk-budget').answer();
    const { total_tokens: total } = JSON.parse(answer.body).usage;
    expect(usedTokens()).toBe(total);
    expect(answer.headers['x-ratelimit-limit-tokens']).toBe(String(BUDGET));
    expect(Number(answer.headers['x-ratelimit-remaining-tokens'])).toBeLessThan(BUDGET - 100);
    const next = await gateway.messages({ max_tokens: 100 }, 'sk-budget').answer();
    expect(next.headers).toMatchObject({ 'anthropic-ratelimit-tokens-limit': String(BUDGET) });
  });

  it('is refused in the shape of each family, and not to be repeated', async () => {
    gateway.upstream.respond({ fail: 'stall-mid-stream' });
    const spending = gateway.chat({ ...spendAll, stream: true }, 'sk-budget');
    await spending.head;
    const chat = await gateway.chat({}, 'sk-budget').answer();
    expect([chat.status, chat.headers['retry-after'], chat.headers['x-should-retry']]).toEqual([
      429,
      '59',
      'false',
    ]);
    expect(JSON.parse(chat.body).error).toMatchObject({
      type: 'rate_limit_error',
      code: 'token_budget_exceeded',
      message: expect.stringMatching(
        /^This stack has used or reserved 1\d{4} tokens today; its limit is 10000 per UTC day \(tokens_per_day, plan pro\)\. The day ends at \d{4}-\d\d-\d\dT00:00:00Z\.$/,
      ),
    });
    expect(chat.headers['x-ratelimit-remaining-tokens']).toBe('0');
    const messages = await gateway.messages({ stream: true }, 'sk-budget').answer();
    expect([messages.status, JSON.parse(messages.body).error.type]).toEqual([429, 'rate_limit_error']);
    expect(messages.headers['x-should-retry']).toBe('false');
    const pdf = await gateway.post('/v1/documents/generate', { user: 'A letter.' }, 'sk-budget').answer();
    expect([pdf.status, JSON.parse(pdf.body).detail]).toEqual([
      429,
      expect.stringContaining('tokens_per_day'),
    ]);
    spending.leave();
    await gateway.untilIdle();
  });

  it('does not refuse requests that use no tokens', async () => {
    gateway.upstream.respond({ fail: 'stall-mid-stream' });
    const spending = gateway.chat({ ...spendAll, stream: true }, 'sk-budget');
    await spending.head;
    const direct = await gateway.post('/v1/documents/generate', { html: '<p>a</p>' }, 'sk-budget').answer();
    expect(direct.status).toBe(200);
    expect((await gateway.count({}, 'sk-budget').answer()).status).toBe(200);
    expect((await call(gateway.http, { path: '/v1/models', key: 'sk-budget' })).status).toBe(200);
    spending.leave();
    await gateway.untilIdle();
  });

  it('is settled with what was used when the client leaves', async () => {
    gateway.upstream.respond({ fail: 'stall-mid-stream' });
    const leaving = gateway.chat({ ...spendAll, stream: true }, 'sk-budget');
    await leaving.head;
    expect(usedTokens()).toBeGreaterThan(BUDGET);
    leaving.leave();
    await gateway.untilIdle();
    expect(usedTokens()).toBeLessThan(100);
    expect(usedTokens()).toBeGreaterThan(0);
  });

  it('is given back when the upstream fails', async () => {
    gateway.upstream.respond(...Array.from({ length: 4 }, () => ({ fail: { mode: 'status' as const } })));
    const failed = await gateway.chat(spendAll, 'sk-budget').answer();
    expect(failed.status).toBe(502);
    expect(usedTokens()).toBe(0);
  });

  it('is asked for in blocks', async () => {
    for (let count = 0; count < 20; count++) await gateway.chat({ max_tokens: 10 }, 'sk-budget').answer();
    expect(gateway.http.limits.book.asked).toBeLessThan(5);
  });
});

describe('GET /v1/limits', () => {
  const limits = async (key: string) => {
    const answer = await call(gateway.http, { path: '/v1/limits', key });
    const { data, ...rest } = JSON.parse(answer.body);
    const rows: Record<string, unknown>[] = data;
    return {
      rest,
      of: (name: string, scope = 'stack') => rows.find((row) => row.name === name && row.scope === scope),
    };
  };

  it('shows every ceiling with its use and the rest', async () => {
    const { rest, of } = await limits('sk-key');
    expect(rest).toEqual({ object: 'list', stack: 'key', key: 'web', plan: 'max' });
    const resets = expect.stringMatching(/Z$/);
    expect(of('requests_per_minute')).toMatchObject({ limit: 60, used: 1, remaining: 59, resets_at: resets });
    expect(of('requests_per_minute', 'key')).toMatchObject({ limit: 3, used: 1, remaining: 2 });
    expect(of('concurrent_requests')).toMatchObject({ limit: 4, used: 1, remaining: 3, resets_at: null });
    expect(of('concurrent_requests', 'key')).toMatchObject({ limit: null, used: null, remaining: null });
    expect(of('tokens_per_day')).toMatchObject({ limit: null, used: null });
    expect(of('context_window')).toMatchObject({ limit: null });
    expect(of('extraction.pages')).toMatchObject({ limit: 50, used: null });
    expect(of('pdf.html_bytes')).toMatchObject({ limit: 8_000_000 });
    expect(of('images.in_flight')).toBeUndefined();
  });

  it('shows tokens and images, including those of other processes, and uses none', async () => {
    await gateway.chat({ max_tokens: 10 }, 'sk-budget').answer();
    const used = usedTokens();
    gateway.http.limits.book.usedElsewhere = 1_000;
    const { of } = await limits('sk-budget');
    expect(of('tokens_per_day')).toMatchObject({
      limit: BUDGET,
      used: used + 1_000,
      remaining: BUDGET - used - 1_000,
      resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
    });
    expect(of('images.submissions_per_minute')).toMatchObject({ limit: 10, used: 0, remaining: 10 });
    expect(of('images.rendering')).toMatchObject({ limit: 1, used: 0, remaining: 1 });
    expect(of('images.queue_wait_seconds')).toMatchObject({ limit: 60, used: null });
  });
});

describe('a budget of money', () => {
  const spend = async (plan: object) => {
    gateway.upstream.respond(plan);
    return await gateway.chat({}, 'sk-money').answer();
  };
  const usage = (prompt: number, cached: number, completion: number) => ({
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      prompt_tokens_details: { cached_tokens: cached },
    },
  });

  it('is spent at the prices of tokens, cached ones too, and then refuses what costs something', async () => {
    expect((await spend(usage(5, 5, 1))).status).toBe(200);
    expect(gateway.http.usage.ended.at(-1)).toMatchObject({ costMicros: 1_500_000 });
    expect((await spend(usage(1, 0, 0))).status).toBe(200);
    const refused = await gateway.chat({}, 'sk-money').answer();
    expect([refused.status, refused.headers['x-should-retry'], JSON.parse(refused.body).error]).toEqual([
      429,
      'false',
      expect.objectContaining({
        code: 'budget_exceeded',
        message: expect.stringMatching(
          /^This key has spent or reserved its 2 EUR of this month \(budget\). The month ends at /,
        ),
      }),
    ]);
    expect((await call(gateway.http, { path: '/v1/models', key: 'sk-money' })).status).toBe(200);
  });

  it('is shown with what is left of it', async () => {
    await spend(usage(0, 0, 1));
    const { body } = await call(gateway.http, { path: '/v1/limits', key: 'sk-money' });
    const shown = JSON.parse(body).data.filter(({ name }: { name: string }) => name === 'budget');
    expect(shown).toEqual([
      expect.objectContaining({ scope: 'account', limit: 1000, used: 1, remaining: 999 }),
      expect.objectContaining({ scope: 'key', limit: 2, used: 1, remaining: 1 }),
    ]);
    expect(shown[0].resets_at).toMatch(/^\d{4}-\d\d-01T00:00:00.000Z$/);
  });
});
