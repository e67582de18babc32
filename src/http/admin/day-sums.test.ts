import { expect, it } from 'vitest';
import type { UsageSumsQuery } from '../../store/sql-usage.ts';
import { noUsage } from '../../usage/usage-sums.ts';
import { DaySums } from './day-sums.ts';

it('reads days that are over once in five minutes, and today each time', async () => {
  let nowMs = Date.parse('2026-11-18T12:00:00Z');
  const asked: string[] = [];
  const readSums = async ({ since, until, stack = 'all' }: UsageSumsQuery) => {
    asked.push(`${stack} ${since} ${until}`);
    const group = { ...noUsage, day: until, requests: asked.length, isTotal: false, groupCount: 0 };
    return { groups: [group], groupCount: 1, total: group };
  };
  const sums = new DaySums({ readSums }, { nowMs: () => nowMs });
  const first = await sums.read(undefined);
  expect(first).toHaveLength(30);
  expect(first.slice(-3).map(({ day, requests }) => [day, requests])).toEqual([
    ['2026-11-16', 0],
    ['2026-11-17', 1],
    ['2026-11-18', 2],
  ]);
  expect((await sums.read(undefined)).slice(-2).map(({ requests }) => requests)).toEqual([1, 3]);
  await sums.read('shop');
  nowMs += 300_000;
  await sums.read(undefined);
  expect(asked).toEqual([
    'all 2026-10-20 2026-11-17',
    'all 2026-11-18 2026-11-18',
    'all 2026-11-18 2026-11-18',
    'shop 2026-10-20 2026-11-17',
    'shop 2026-11-18 2026-11-18',
    'all 2026-10-20 2026-11-17',
    'all 2026-11-18 2026-11-18',
  ]);
  nowMs = Date.parse('2026-11-19T00:00:01Z');
  await sums.read(undefined);
  expect(asked.slice(-2)).toEqual(['all 2026-10-21 2026-11-18', 'all 2026-11-19 2026-11-19']);
});
