import { describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { HeldClock } from '../../testing/held-clock.ts';
import { endedRequest } from '../../testing/usage/ended-request.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import type { Outcome } from '../access/usage-recorder.ts';
import { UsageTally } from './usage-tally.ts';

function setUp(maxRows?: number) {
  const clock = new HeldClock(Date.UTC(2026, 10, 16, 12));
  const told: (readonly number[])[] = [];
  const observer = { tokensUsed: (...tokens: readonly number[]) => told.push(tokens), batchFailed: () => {} };
  const tally = new UsageTally({ clock, observer, ...(maxRows === undefined ? {} : { maxRows }) });
  return { clock, told, tally };
}

describe('a tally', () => {
  it('sums requests that have everything in common', () => {
    const { tally, told } = setUp();
    tally.record(endedRequest({ promptTokens: 10, completionTokens: 2 }));
    tally.record(endedRequest({ pages: 1, images: 2, pdfPages: 3, latencyMs: 9 }));
    expect(tally.take()).toEqual([
      usageRow({
        requests: 2,
        promptTokens: 10,
        completionTokens: 2,
        pages: 1,
        images: 2,
        pdfPages: 3,
        latencyMs: 16,
        maxLatencyMs: 9,
        latencyCounts: usageRow().latencyCounts.map((count) => 2 * count),
      }),
    ]);
    expect(told).toEqual([[10, 2]]);
    expect([tally.size, tally.take()]).toEqual([0, []]);
  });

  it('tells apart keys, stacks, accounts, endpoints, models and days', () => {
    const { tally, clock } = setUp();
    tally.record(endedRequest());
    tally.record(endedRequest({ caller: makeCaller({ key: { id: 'other' } }) }));
    tally.record(endedRequest({ caller: makeCaller({ stack: { id: 'other' } }) }));
    tally.record(endedRequest({ caller: makeCaller({ stack: { account: 'other' } }) }));
    tally.record(endedRequest({ endpoint: '/v1/models' }));
    tally.record(endedRequest({ model: undefined }));
    clock.advance(86_400_000);
    tally.record(endedRequest());
    expect(tally.size).toBe(7);
  });

  it('counts a request for the day in UTC that it began in', () => {
    const { tally, clock } = setUp();
    clock.advance(12 * 3_600_000 - 1);
    tally.record(endedRequest({ latencyMs: 0 }));
    clock.advance(1);
    tally.record(endedRequest({ latencyMs: 0 }));
    tally.record(endedRequest({ latencyMs: 1 }));
    expect(tally.take().map(({ day }) => day)).toEqual(['2026-11-16', '2026-11-17']);
  });

  it.each<[Outcome, object]>([
    ['ok', {}],
    ['client', { clientErrors: 1 }],
    ['limit', { limitErrors: 1 }],
    ['server', { serverErrors: 1 }],
    ['gone', { gone: 1 }],
  ])('counts a request that ended as %s', (outcome, counted) => {
    const { tally } = setUp();
    tally.record(endedRequest({ outcome }));
    expect(tally.take()).toEqual([usageRow(counted)]);
  });

  it('loses nothing of a stack when there are too many rows to tell apart', () => {
    const { tally } = setUp(3);
    for (let index = 0; index < 10; index++)
      tally.record(endedRequest({ model: `model-${index}`, promptTokens: 1 }));
    const rows = tally.take();
    expect(rows.map(({ key, endpoint, model, requests }) => [key, endpoint, model, requests])).toEqual([
      ['web', '/v1/chat/completions', 'model-0', 1],
      ['web', '/v1/chat/completions', 'model-1', 1],
      ['web', '/v1/chat/completions', 'model-2', 1],
      ['(other)', '(other)', '(other)', 7],
    ]);
    expect(rows.reduce((sum, { promptTokens }) => sum + promptTokens, 0)).toBe(10);
  });

  it('gives out all rows once, the oldest first', () => {
    const { tally } = setUp();
    for (const model of ['a', 'b', 'a']) tally.record(endedRequest({ model }));
    expect(tally.take().map(({ model }) => model)).toEqual(['a', 'b']);
    expect(tally.take()).toEqual([]);
  });
});
