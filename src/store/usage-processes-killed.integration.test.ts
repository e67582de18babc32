import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineProcess } from '../../testing/images/line-process.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/open-test-database.ts';
import { realPostgresAvailable } from '../../testing/real-postgres/postgres-binaries.ts';
import { migrate } from './migrate.ts';
import { SqlUsage } from './sql-usage.ts';

const NAMES = ['a', 'b', 'c'] as const;
const LINES = 20;

describe.skipIf(!realPostgresAvailable)('usage of real processes on PostgreSQL', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openTestDatabase('postgres');
    await migrate(database.pool);
  });
  afterEach(() => database.close());

  it('is exact when they stop, and lacks at most one batch of a killed one', async () => {
    const url = database.url?.reveal() ?? '';
    const processes = NAMES.map((name) => new LineProcess('use-until-stopped.mjs', [url, name]));
    const [killed, ...stopped] = processes;
    try {
      await Promise.all(processes.map((each) => each.printed(LINES)));
      await killed?.kill();
      await Promise.all(stopped.map((each) => each.printed(each.lines.length + LINES)));
      await Promise.all(stopped.map((each) => each.stop()));
    } finally {
      await Promise.all(processes.map((each) => each.kill()));
    }
    expect(
      processes.flatMap(({ errors, lines }) => [...errors, ...lines.filter((line) => line === 'failed')]),
    ).toEqual([]);
    const used = await requestsByModel();
    for (const [index, name] of NAMES.slice(1).entries())
      expect(`total ${used.get(name)}`).toBe(stopped[index]?.lines.at(-1));
    expect(used.get('a')).toBeGreaterThanOrEqual(last(killed, 'written'));
    expect(used.get('a')).toBeLessThanOrEqual(last(killed, 'recorded'));
    // A batch is stored whole or not at all: shared rows and own rows count the same.
    expect(used.get('shared')).toBe(NAMES.reduce((sum, name) => sum + (used.get(name) ?? 0), 0));
  });

  async function requestsByModel(): Promise<ReadonlyMap<string | undefined, number>> {
    const days = { since: '2000-01-01', until: '2999-12-31' };
    const groups = await new SqlUsage(database.pool).read({ by: ['model'], ...days, limit: 10 });
    return new Map(groups.map(({ model, requests }) => [model, requests]));
  }
});

/** The last number that a process reported under a name. */
function last(process: LineProcess | undefined, what: string): number {
  return Number(process?.lines.findLast((line) => line.startsWith(what))?.split(' ')[1]);
}
