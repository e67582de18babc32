import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';
import { SqlUsage } from './sql-usage.ts';
import { UsageSweeper } from './usage-sweeper.ts';

const DAY_MS = 86_400_000;
const dayRow = z.object({ day: z.string() });
const processRow = z.object({ process: z.string() });
const never = new AbortController().signal;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describeOnDatabases('UsageSweeper', (database) => {
  const fill = (days: readonly number[]) => {
    const rows = days.map((ago, index) => usageRow({ day: daysAgo(ago), key: `key-${index}` }));
    return new SqlUsage(database().pool).add({ process: 'one', sequence: 1, rows });
  };
  const daysLeft = async () => {
    const query = sql`select distinct day::text as day from usage_days order by day`;
    return (await queryRows(database().pool, dayRow, query)).map(({ day }) => day);
  };

  it('keeps the given number of days, today included, and removes the rest in pages', async () => {
    await fill([0, 399, 400, 401, 500, 500, 900]);
    const sweeper = new UsageSweeper({ pool: database().pool, days: 400, pageRows: 2 });
    expect(await sweeper.sweep(never)).toEqual({ rows: 5 });
    expect(await daysLeft()).toEqual([daysAgo(399), daysAgo(0)]);
    expect(await sweeper.sweep(never)).toEqual({ rows: 0 });
  });

  it('keeps the current month where budgets are counted from it', async () => {
    const today = new Date().getUTCDate();
    await fill([0, today - 1, today]);
    let keeps = true;
    const sweeper = new UsageSweeper({ pool: database().pool, days: 1, keepsMonth: () => keeps });
    expect(await sweeper.sweep(never)).toEqual({ rows: 1 });
    expect(await daysLeft()).toEqual([...new Set([daysAgo(today - 1), daysAgo(0)])]);
    keeps = false;
    await sweeper.sweep(never);
    expect(await daysLeft()).toEqual([daysAgo(0)]);
  });

  it('skips the rows of another sweep at the same time', async () => {
    await fill(Array.from({ length: 50 }, (_, index) => 500 + index));
    const sweepers = Array.from(
      { length: 3 },
      () => new UsageSweeper({ pool: database().pool, days: 400, pageRows: 7 }),
    );
    const swept = await Promise.all(sweepers.map((sweeper) => sweeper.sweep(never)));
    expect(swept.reduce((sum, { rows }) => sum + rows, 0)).toBe(50);
  });

  it('forgets processes that have not written for a month', async () => {
    await fill([0]);
    await execute(
      database().pool,
      sql`insert into usage_writers values ('old', 7, now() - interval '31 days'), ('young', 7, now() - interval '29 days')`,
    );
    await new UsageSweeper({ pool: database().pool, days: 400 }).sweep(never);
    const query = sql`select process from usage_writers order by process`;
    const rows = await queryRows(database().pool, processRow, query);
    expect(rows.map(({ process }) => process)).toEqual(['one', 'young']);
  });

  it('ends between pages when it is aborted', async () => {
    await fill([500, 500]);
    const sweeper = new UsageSweeper({ pool: database().pool, days: 400, pageRows: 1 });
    await expect(sweeper.sweep(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    expect(await daysLeft()).toHaveLength(1);
  });
});
