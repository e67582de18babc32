import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import type { UsageQuery } from '../usage/usage-ledger.ts';
import type { UsageGroup, UsageRow, UsageSums } from '../usage/usage-row.ts';
import { postgresPool } from './database.ts';
import { execute, queryRows, wholeNumber } from './query.ts';
import { sql } from './sql.ts';
import { SqlUsage, type UsageSumsGroup, type UsageSumsQuery } from './sql-usage.ts';

const fastRow = z.object({ fast: wholeNumber });

const all: UsageQuery = { by: [], since: '2026-01-01', until: '2026-12-31', limit: 1_000 };

describeOnDatabases('SqlUsage', (database) => {
  const usage = () => new SqlUsage(database().pool);
  const batch = (sequence: number, rows: readonly UsageRow[], process = 'one') => ({
    process,
    sequence,
    rows,
  });

  it('adds batches up', async () => {
    const first = usageRow({
      promptTokens: 10,
      completionTokens: 2,
      pages: 3,
      images: 4,
      pdfPages: 5,
      costMicros: 1.5,
      clientErrors: 1,
      limitErrors: 2,
      serverErrors: 3,
      gone: 4,
    });
    await usage().add(batch(1, [first, usageRow({ key: 'other', latencyMs: 40, maxLatencyMs: 40 })]));
    await usage().add(batch(2, [first]));
    expect(await usage().read(all)).toEqual([
      {
        requests: 3,
        promptTokens: 20,
        completionTokens: 4,
        pages: 6,
        images: 8,
        pdfPages: 10,
        clientErrors: 2,
        limitErrors: 4,
        serverErrors: 6,
        gone: 8,
        costMicros: 3,
        latencyMs: 54,
        maxLatencyMs: 40,
        latencyCounts: [0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    ]);
    const fast = sql`select latency_counts[2] as fast from usage_days order by key_id`;
    expect(await queryRows(database().pool, fastRow, fast)).toEqual([{ fast: 1 }, { fast: 2 }]);
  });

  it('adds a batch once, however often it is sent', async () => {
    await usage().add(batch(1, [usageRow()]));
    await usage().add(batch(1, [usageRow()]));
    await usage().add(batch(2, [usageRow()]));
    await usage().add(batch(1, [usageRow()]));
    await usage().add(batch(1, [usageRow()], 'two'));
    expect(await usage().read(all)).toMatchObject([{ requests: 3 }]);
  });

  it('adds a batch once when it is sent several times at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => usage().add(batch(1, [usageRow()]))));
    expect(await usage().read(all)).toMatchObject([{ requests: 1 }]);
  });

  it('adds what a killed process left once, beside what it had written itself', async () => {
    await usage().add(batch(1, [usageRow()], 'killed'));
    const batches = [batch(1, [usageRow()], 'killed'), batch(2, [usageRow()], 'killed')];
    const settled = [{ kind: 'tokens' as const, stack: 'shop', key: '', day: '2026-11-16', amount: 5 }];
    for (let time = 0; time < 2; time++) await usage().addLeft({ process: 'killed', batches, settled });
    expect(await usage().read(all)).toMatchObject([{ requests: 2 }]);
  });

  it('does not record a batch that could not be added', async () => {
    await expect(usage().add(batch(1, [usageRow(), usageRow({ day: 'never' })]))).rejects.toThrow('never');
    expect(await usage().read(all)).toMatchObject([{ requests: 0 }]);
    await usage().add(batch(1, [usageRow()]));
    expect(await usage().read(all)).toMatchObject([{ requests: 1 }]);
  });

  it('groups by the dimensions asked for, in order, within days, of a stack or an account', async () => {
    await usage().add(
      batch(1, [
        usageRow({ day: '2026-11-15', key: 'b' }),
        usageRow({ day: '2026-11-16', key: 'a' }),
        usageRow({ day: '2026-11-16', key: 'a', model: '' }),
        usageRow({ stack: 'blog', key: 'c' }),
        usageRow({ account: 'other', stack: 'zoo', key: 'd' }),
      ]),
    );
    const groups = async (query: Partial<UsageQuery>) =>
      (await usage().read({ ...all, ...query })).map((group) =>
        [group.day, group.account, group.stack, group.key, group.model, group.requests]
          .filter((value) => value !== undefined)
          .join(' '),
      );
    expect(await groups({ by: ['day', 'key'], stack: 'shop' })).toEqual(['2026-11-15 b 1', '2026-11-16 a 2']);
    expect(await groups({ by: ['stack'], account: 'acme' })).toEqual(['blog 1', 'shop 3']);
    expect(await groups({ by: ['model'], stack: 'shop' })).toEqual([' 1', 'tiny 2']);
    expect(await groups({ by: ['account', 'stack'] })).toEqual(['acme blog 1', 'acme shop 3', 'other zoo 1']);
    expect(await groups({ since: '2026-11-16', until: '2026-11-16', stack: 'shop' })).toEqual(['2']);
    expect(await groups({ since: '2026-11-17' })).toEqual(['0']);
    expect(await groups({ by: ['day'], since: '2026-11-17' })).toEqual([]);
    expect(await groups({ by: ['key'], limit: 2 })).toEqual(['a 2', 'b 1']);
  });

  it('is exact and never deadlocks when processes write the same rows in different orders', async () => {
    const { pool, url } = database();
    const pools = Array.from({ length: 4 }, () => (url === undefined ? pool : postgresPool(url)));
    const rows = Array.from({ length: 60 }, (_, index) => usageRow({ key: `key-${index}`, promptTokens: 1 }));
    try {
      await Promise.all(
        pools.map(async (own, writer) => {
          const ledger = new SqlUsage(own);
          const ordered = writer % 2 === 0 ? rows : rows.toReversed();
          for (let sequence = 1; sequence <= 15; sequence++)
            await ledger.add(batch(sequence, ordered, `writer-${writer}`));
        }),
      );
    } finally {
      await Promise.all(pools.filter((other) => other !== pool).map((other) => other.end()));
    }
    const groups = await usage().read({ ...all, by: ['key'] });
    expect(groups).toHaveLength(60);
    expect(new Set(groups.map((group) => `${group.requests} ${group.promptTokens}`))).toEqual(
      new Set(['60 60']),
    );
  });

  describe('sums', () => {
    const NAMES = [
      'requests',
      'promptTokens',
      'completionTokens',
      'pages',
      'images',
      'pdfPages',
      'gone',
    ] as const;
    const some = (): UsageRow[] =>
      ['a', 'b', 'c'].flatMap((key, index) =>
        ['2026-11-15', '2026-11-16'].flatMap((day) =>
          ['shop', 'blog'].map((stack) =>
            usageRow({
              day,
              stack,
              key,
              model: index === 0 ? '' : 'tiny',
              requests: index + 1,
              promptTokens: 10 ** index,
              completionTokens: 2,
              pages: 3,
              images: 4,
              pdfPages: 5,
              gone: 1,
              costMicros: 0.5,
              latencyMs: 7,
              maxLatencyMs: index,
            }),
          ),
        ),
      );
    const sums = (query: Partial<UsageSumsQuery> = {}) => usage().readSums({ ...all, ...query });
    /** Read with the keys, and read without them. */
    const bothWays = async () => {
      const by = ['day', 'account', 'stack', 'endpoint', 'model'] as const;
      const read = await usage().read({ ...all, by });
      const { groups, total } = await sums({ by });
      const written = (group: UsageSums) => NAMES.map((name) => group[name]).join(' ');
      const named = (group: UsageGroup | UsageSumsGroup) =>
        [
          group.day,
          group.stack,
          group.model,
          group.maxLatencyMs,
          group.costMicros,
          written(group as UsageSums),
        ].join(' ');
      return { read: read.map(named), groups: groups.map(named).sort(), total };
    };

    it('without keys are those of the rows, whatever statement changes them', async () => {
      await usage().add(batch(1, some()));
      await usage().add(batch(2, some()));
      const added = await bothWays();
      expect(added.groups).toEqual(added.read);
      expect(added.groups).toHaveLength(8);
      await execute(
        database().pool,
        sql`update usage_days set day = day - 5, requests = 9 where key_id = 'a'`,
      );
      await execute(database().pool, sql`delete from usage_days where key_id = 'b' and stack_id = 'shop'`);
      const changed = await bothWays();
      expect(changed.groups).toEqual(changed.read);
      await execute(database().pool, sql`delete from usage_days where day = '2026-11-15'`);
      expect((await bothWays()).groups).toHaveLength(6);
      await execute(database().pool, sql`truncate usage_days`);
      expect((await bothWays()).total).toMatchObject({ requests: 0, groupCount: 0 });
    });

    it('of the largest groups come with their number and the total of all', async () => {
      await usage().add(batch(1, some()));
      const { groups, groupCount, total } = await sums({ by: ['stack', 'key'], limit: 3 });
      expect(
        groups.map(({ stack, key, requests, promptTokens }) => [stack, key, requests, promptTokens]),
      ).toEqual([
        [expect.any(String), 'c', 6, 200],
        [expect.any(String), 'c', 6, 200],
        [expect.any(String), 'b', 4, 20],
      ]);
      expect({ groupCount, requests: total.requests, maxLatencyMs: total.maxLatencyMs }).toEqual({
        groupCount: 6,
        requests: 24,
        maxLatencyMs: 2,
      });
      const ofOne = await sums({ by: ['day', 'key'], stack: 'shop', key: 'b', limit: 1 });
      expect([ofOne.groups.length, ofOne.groupCount, ofOne.total.requests]).toEqual([1, 2, 4]);
    });

    it('of all groups are the same as of the largest', async () => {
      await usage().add(batch(1, some()));
      const by = ['day', 'stack', 'key'] as const;
      const few = await sums({ by, limit: 1_000 });
      const every = await sums({ by, limit: 1_001 });
      expect(few.total).toEqual(every.total);
      expect(new Set(few.groups)).toEqual(new Set(every.groups));
    });
  });
});
