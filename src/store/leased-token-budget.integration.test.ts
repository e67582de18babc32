import { expect, it } from 'vitest';
import { describeOnDatabases } from '../../testing/describe-on-databases.ts';
import { makeCaller } from '../../testing/fake-callers.ts';
import { type LimitProcess, LimitWorld } from '../../testing/limits/limit-world.ts';
import { usageRow } from '../../testing/usage/usage-rows.ts';
import { systemClock } from '../lib/clock.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';
import { SqlUsage } from './sql-usage.ts';
import { TokenDrift } from './token-drift.ts';

const LEASE_MS = 15_000;
const BEAT_MS = 2_000;
const TODAY = '2026-11-16';
const TOMORROW = '2026-11-17';
const caller = makeCaller({ plan: 'go', limits: { tokensPerDay: 1_000 } });

async function spend({ budget }: LimitProcess, tokens: number): Promise<void> {
  (await budget.reserve(caller, tokens))?.settle(tokens);
}

async function refusal({ budget }: LimitProcess): Promise<unknown> {
  return await Promise.resolve(budget.reserve(caller, 1)).catch((error: unknown) => error);
}

describeOnDatabases('a leased token budget', (database) => {
  /** Adds tokens of a day to the usage ledger. */
  const ledger = (day: string, tokens: number) =>
    execute(
      database().pool,
      sql`insert into usage_days values (${day}, 'acme', 'shop', 'web', '/v1/chat/completions', ${`model-${tokens}`}, 1,
        ${tokens}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}')`,
    );
  const start = () => {
    const world = new LimitWorld(database().pool);
    return { world, process: world.start() };
  };

  it('does nothing for a stack without a budget', () => {
    const { process } = start();
    expect(process.budget.reserve(makeCaller(), 5)).toBeUndefined();
    expect([process.keeper.size, process.book.asked]).toEqual([0, 0]);
  });

  it('answers at once while its block lasts, and asks in blocks', async () => {
    const { process } = start();
    await spend(process, 1);
    for (let count = 0; count < 100; count++)
      expect(process.budget.reserve(caller, 1)).not.toBeInstanceOf(Promise);
    expect(process.book.asked).toBe(1);
  });

  it.each([false, true])(
    'counts once what a killed process left in its journal, others alive: %s',
    async (isShared) => {
      const { world, process } = start();
      await spend(process, 600);
      world.kill(process);
      const others = isShared ? [world.start()] : [];
      for (const other of others) await spend(other, 1);
      await world.pass(LEASE_MS);
      const row = usageRow({ day: TODAY, stack: 'shop', promptTokens: 600 });
      const left = {
        process: process.name,
        batches: [{ process: process.name, sequence: 1, rows: [row] }],
        settled: [{ kind: 'tokens' as const, day: TODAY, stack: 'shop', key: '', amount: 600 }],
      };
      await new SqlUsage(database().pool).addLeft(left);
      await new SqlUsage(database().pool).addLeft(left);
      const next = world.start();
      await spend(next, 399 - others.length);
      await spend(next, 1);
      expect(await refusal(next)).toMatchObject({ code: 'token-budget-exceeded' });
    },
  );

  it('is used to its end, one call over it, and says so', async () => {
    const { process } = start();
    for (let count = 0; count < 3; count++) await spend(process, 333);
    const last = await process.budget.reserve(caller, 50);
    expect(await refusal(process)).toMatchObject({
      code: 'token-budget-exceeded',
      message:
        'This stack has used or reserved 1049 tokens today; its limit is 1000 per UTC day (tokens_per_day, plan go). The day ends at 2026-11-17T00:00:00Z.',
    });
    last?.release();
    expect(await refusal(process)).not.toBeInstanceOf(Error);
  });

  it('begins with the tokens in the ledger, and counts them once', async () => {
    await ledger(TODAY, 900);
    const { world, process } = start();
    await spend(process, 60);
    await world.pass(2 * BEAT_MS);
    await ledger(TODAY, 60);
    const other = world.start();
    await spend(other, 50);
    await world.pass(2 * BEAT_MS);
    expect(await world.settledTokens()).toEqual(new Map([[`shop ${TODAY}`, 1_010]]));
    expect(await refusal(other)).toMatchObject({ code: 'token-budget-exceeded' });
  });

  it('takes the unreported tokens of a killed process from the ledger', async () => {
    const { world, process } = start();
    await spend(process, 400);
    await ledger(TODAY, 400);
    world.kill(process);
    const next = world.start();
    await world.pass(LEASE_MS + BEAT_MS);
    await spend(next, 1);
    await world.pass(2 * BEAT_MS);
    expect(await world.settledTokens()).toEqual(new Map([[`shop ${TODAY}`, 401]]));
  });

  it('gives back the reservation of a killed process when its lease ends', async () => {
    const { world, process } = start();
    await process.budget.reserve(caller, 1_000);
    await world.pass(BEAT_MS);
    const other = world.start();
    world.kill(process);
    expect(await refusal(other)).toMatchObject({ code: 'token-budget-exceeded' });
    await world.pass(LEASE_MS + BEAT_MS);
    expect(await refusal(other)).not.toBeInstanceOf(Error);
  });

  it('does not read the ledger while a process may have reported to the ledger alone', async () => {
    const { world, process } = start();
    const open = await process.budget.reserve(caller, 100);
    await spend(process, 10);
    await ledger(TODAY, 10);
    await spend(world.start(), 1);
    open?.release();
    await world.pass(2 * BEAT_MS);
    expect(await world.settledTokens()).toEqual(new Map([[`shop ${TODAY}`, 11]]));
  });

  it('settles into the day of the reservation', async () => {
    const { world, process } = start();
    const overMidnight = await process.budget.reserve(caller, 900);
    world.wallClock.advance(12 * 3_600_000);
    await spend(process, 1_000);
    overMidnight?.settle(700);
    await world.pass(2 * BEAT_MS);
    expect(await world.settledTokens()).toEqual(
      new Map([
        [`shop ${TODAY}`, 700],
        [`shop ${TOMORROW}`, 1_000],
      ]),
    );
    expect(process.keeper.size).toBe(0);
  });

  it('reports everything when it closes', async () => {
    const { world, process } = start();
    await spend(process, 123);
    await process.keeper.close();
    expect(await world.settledTokens()).toEqual(new Map([[`shop ${TODAY}`, 123]]));
    expect(process.clock.pending).toBe(0);
  });

  it('is compared with the ledger', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const measured: number[] = [];
    const drift = new TokenDrift({
      pool: database().pool,
      clock: systemClock,
      onMeasured: (tokens) => measured.push(tokens),
    });
    await drift.measure();
    await execute(
      database().pool,
      sql`insert into limit_shares values ('tokens', 'shop', '', ${today}, 'one', 70, 0, 70, now()),
        ('tokens', 'shop', '', ${today}, 'two', 30, 5, 35, now())`,
    );
    await ledger(today, 90);
    await drift.measure();
    await ledger(today, 10);
    await drift.measure();
    expect(measured).toEqual([0, 10, 0]);
  });
});
