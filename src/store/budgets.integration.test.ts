import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { LimitWorld } from '../../testing/limits/limit-world.ts';
import { operatorWork } from '../../testing/operator-work.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import type { CallerBudget } from '../access/money-budget.ts';
import { applyAccountBudgets, listBudgets } from '../admin/budgets.ts';
import { createKey } from '../admin/keys.ts';
import { createStack } from '../admin/stacks.ts';
import { SqlBudgetNotices } from './sql-budget-notices.ts';
import { SqlUsage } from './sql-usage.ts';

const EUR = 1_000_000;
const today = new Date().toISOString().slice(0, 10);

describeOnDatabases('budgets', (database) => {
  const spent = (costMicros: number, sequence: number, day = today) =>
    new SqlUsage(database().pool).add({
      process: 'p',
      sequence,
      rows: [usageRow({ day, costMicros })],
    });
  const budget = (scope: CallerBudget['scope'], hard: number) => ({ scope, hardMicros: hard * EUR });

  it('are shared by processes, begin with the ledger, and last a month', async () => {
    await spent(4 * EUR, 1, '2026-11-02');
    const world = new LimitWorld(database().pool);
    const [one, other] = [world.start(), world.start()];
    const caller = makeCaller({ budgets: [budget('account', 10), budget('key', 9)] });
    (await one.money.reserve(caller, EUR))?.settle(2.5 * EUR);
    await spent(2.5 * EUR, 2, '2026-11-16');
    await world.pass(4_000);
    (await other.money.reserve(caller, EUR))?.settle(2.5 * EUR);
    await spent(2.5 * EUR, 3, '2026-11-16');
    await world.pass(4_000);
    await expect(one.money.reserve(caller, 1)).rejects.toMatchObject({ code: 'budget-exceeded' });
    // Another key of the account may spend the rest.
    const beside = makeCaller({ key: { id: 'app' }, budgets: [budget('account', 10)] });
    (await one.money.reserve(beside, 1))?.settle(EUR);
    world.wallClock.advance(15 * 86_400_000);
    expect(await one.money.reserve(caller, 1)).toBeDefined();
  });

  it('count once what a killed process left in its journal, while others live', async () => {
    const world = new LimitWorld(database().pool);
    const [killed, other] = [world.start(), world.start()];
    const caller = makeCaller({ budgets: [budget('account', 10), budget('key', 9)] });
    const settled = (await killed.money.reserve(caller, EUR))?.settle(8.5 * EUR) ?? [];
    (await other.money.reserve(caller, 1))?.settle(EUR / 4);
    world.kill(killed);
    await world.pass(20_000);
    const day = '2026-11-16';
    const left = {
      process: killed.name,
      batches: [{ process: killed.name, sequence: 1, rows: [usageRow({ day, costMicros: 8.5 * EUR })] }],
      settled: settled.map(
        ({ subject: { stackId: stack, keyId: key = '', day: month = '' }, micros: amount }) => ({
          kind: 'money' as const,
          stack,
          key,
          day: month,
          amount,
        }),
      ),
    };
    for (let time = 0; time < 2; time++) await new SqlUsage(database().pool).addLeft(left);
    await world.pass(4_000);
    (await other.money.reserve(caller, 1))?.settle(EUR / 4);
    await world.pass(4_000);
    await expect(other.money.reserve(caller, 1)).rejects.toMatchObject({ code: 'budget-exceeded' });
    const beside = makeCaller({ key: { id: 'app' }, budgets: [budget('account', 10)] });
    expect(await other.money.reserve(beside, 1)).toBeDefined();
  });

  it('are told once when a limit is reached, and again until that is delivered', async () => {
    const { pool } = database();
    await createStack(operatorWork(pool), 'shop', { account: 'acme', budget: { soft: 3, hard: 5 } });
    await createKey(operatorWork(pool), { stackId: 'shop', id: 'web', budget: { soft: 100 } });
    await applyAccountBudgets(pool, { acme: { soft: 2 } });
    await spent(3.5 * EUR, 1);
    const rows = [
      usageRow({ day: today, key: 'app', costMicros: 0.25 * EUR }),
      usageRow({ day: today, stack: 'blog', costMicros: 0.5 * EUR }),
      usageRow({ day: today, account: 'other', stack: 'zoo', costMicros: 9 * EUR }),
      usageRow({ day: '2020-01-31', costMicros: 9 * EUR }),
    ];
    await new SqlUsage(pool).add({ process: 'p', sequence: 2, rows });
    const notices = new SqlBudgetNotices(pool);
    await notices.find();
    await new SqlBudgetNotices(pool).find();
    const [first, second] = [await notices.take(0), await notices.take(30_000)];
    expect(
      [first, second].map((notice) => notice && [notice.scope, notice.level, notice.limitMicros]),
    ).toEqual(
      expect.arrayContaining([
        ['account', 'soft', 2 * EUR],
        ['stack', 'soft', 3 * EUR],
      ]),
    );
    await notices.delivered(second?.id ?? '');
    expect(await notices.take(30_000)).toMatchObject({
      id: first?.id,
      attempt: 2,
      usedMicros: first?.scope === 'account' ? 4.25 * EUR : 3.75 * EUR,
    });
    expect(await notices.take(30_000)).toBeUndefined();
    expect(await listBudgets(pool)).toEqual([
      { scope: 'account', name: 'acme', hard: null, soft: 2, used: 4.25 },
      { scope: 'stack', name: 'shop', hard: 5, soft: 3, used: 3.75 },
      { scope: 'key', name: 'shop/web', hard: null, soft: 100, used: 3.5 },
    ]);
    await applyAccountBudgets(pool, {});
    expect((await listBudgets(pool)).map(({ scope }) => scope)).toEqual(['stack', 'key']);
  });
});
