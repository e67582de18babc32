import { expect, it } from 'vitest';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { call } from '../../testing/http-call.ts';
import { goodKey, HttpGateway } from '../../testing/http-gateway.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import { SqlUsage } from '../store/sql-usage.ts';
import type { UsageGroup } from '../usage/usage-row.ts';

const today = new Date().toISOString().slice(0, 10);

describeOnDatabase('GET /v1/usage', (database) => {
  async function ask(query: string) {
    await using gateway = await HttpGateway.start({ ledger: new SqlUsage(database().pool) });
    const answer = await call(gateway, { path: `/v1/usage${query}`, key: goodKey });
    return { status: answer.status, body: JSON.parse(answer.body) };
  }
  const fill = (...rows: readonly ReturnType<typeof usageRow>[]) =>
    new SqlUsage(database().pool).add({ process: 'one', sequence: 1, rows });

  it('shows the usage of the stack of the key, and nothing of others', async () => {
    await fill(
      usageRow({
        costMicros: 250_000,
        promptTokens: 10,
        completionTokens: 2,
        pages: 1,
        images: 3,
        pdfPages: 4,
        limitErrors: 1,
      }),
      usageRow({ stack: 'other', promptTokens: 99 }),
    );
    const { status, body } = await ask('?since=2026-11-01&until=2026-11-30');
    expect([status, body]).toEqual([
      200,
      {
        object: 'list',
        since: '2026-11-01',
        until: '2026-11-30',
        data: [
          {
            requests: 1,
            prompt_tokens: 10,
            completion_tokens: 2,
            total_tokens: 12,
            pages: 1,
            images: 3,
            pdf_pages: 4,
            cost: 0.25,
            errors: { client: 0, limit: 1, server: 0, gone: 0 },
            latency_ms: { mean: 7, p50: 6, p95: 6.9, max: 7 },
          },
        ],
      },
    ]);
  });

  it('is of the last 30 days by default', async () => {
    await fill(usageRow({ day: today }), usageRow({ day: '2020-01-01' }));
    const { body } = await ask('');
    expect(body).toMatchObject({ until: today, data: [{ requests: 1 }] });
    expect((Date.parse(body.until) - Date.parse(body.since)) / 86_400_000).toBe(29);
  });

  it.each(['by=key,day', 'by=key&by=day', 'by=key%2Cday&by=key'])(
    'tells apart what is asked for: %s',
    async (by) => {
      await fill(usageRow({ key: 'b' }), usageRow({ key: 'a' }), usageRow({ key: 'a', model: 'large' }));
      const { body } = await ask(`?since=2026-11-16&until=2026-11-16&${by}`);
      const names = body.data.map(({ key, day, model, requests }: Record<string, unknown>) => [
        key,
        day,
        model,
        requests,
      ]);
      expect(names).toEqual([
        ['a', '2026-11-16', undefined, 2],
        ['b', '2026-11-16', undefined, 1],
      ]);
    },
  );

  it('takes a time for its day in UTC', async () => {
    const { body } = await ask('?since=2026-11-16T23:30:00-01:00&until=2026-11-17t00:00:00z');
    expect(body).toMatchObject({ since: '2026-11-17', until: '2026-11-17' });
  });

  it.each([
    ['since=yesterday', 'since', '`since` must be a date such as 2026-01-31'],
    ['until=2026-02-30', 'until', 'got "2026-02-30"'],
    [
      'since=2026-11-17&until=2026-11-16',
      'since',
      '`since` (2026-11-17) must not be after `until` (2026-11-16).',
    ],
    ['by=stack', 'by', '`by` must be one or more of day, key, endpoint, model, got "stack".'],
    ['by=day,account', 'by', 'got "account"'],
  ])('answers 400 to %s', async (query, param, message) => {
    const { status, body } = await ask(`?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
    expect(body.error.message).toContain(message);
  });

  it('answers 400 to a query with too many groups', async () => {
    const groups = Array.from({ length: 5_001 }, (): UsageGroup => usageRow());
    await using gateway = await HttpGateway.start({
      ledger: { read: async ({ limit }) => groups.slice(0, limit) },
    });
    const answer = await call(gateway, { path: '/v1/usage?by=day', key: goodKey });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('ask for fewer days');
  });
});
