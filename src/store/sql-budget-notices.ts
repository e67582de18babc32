import type pg from 'pg';
import { z } from 'zod';
import type { BudgetNotice, BudgetNotices } from '../usage/budget-notices.ts';
import { monthSpending } from './month-spending.ts';
import { execute, findRow, wholeNumber } from './query.ts';
import { prepared, sql } from './sql.ts';

const noticeRow = z.object({
  id: z.string(),
  scope: z.enum(['account', 'stack', 'key']),
  accountId: z.string(),
  stackId: z.string(),
  keyId: z.string(),
  month: z.string(),
  level: z.enum(['soft', 'hard']),
  limitMicros: wholeNumber,
  usedMicros: wholeNumber,
  createdAt: z.date(),
  attempts: z.number(),
});

/** Notices that could not be delivered for so long are given up. */
const KEPT = sql`interval '7 days'`;

/** Notices of budgets in the database. */
export class SqlBudgetNotices implements BudgetNotices {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(): Promise<void> {
    const statement = prepared(
      'find_budget_notices',
      sql`with ${monthSpending}
        insert into budget_notices (id, scope, account_id, stack_id, key_id, month, level, limit_micros, used_micros)
        select 'notice_' || replace(gen_random_uuid()::text, '-', ''), scope, account, stack, key, first_day, name,
          micros, used
        from spent cross join lateral (values
          ('soft', ((budget ->> 'soft')::numeric * 1000000)::bigint),
          ('hard', ((budget ->> 'hard')::numeric * 1000000)::bigint)) as level (name, micros)
        where used >= micros and used > 0
        on conflict do nothing`,
    );
    await execute(this.#pool, statement);
  }

  async take(leaseMs: number): Promise<BudgetNotice | undefined> {
    const statement = prepared(
      'take_budget_notice',
      sql`update budget_notices set attempts = attempts + 1,
          next_try_at = now() + make_interval(secs => ${leaseMs}::double precision / 1000)
        where id = (select id from budget_notices
          where delivered_at is null and next_try_at <= now() and created_at > now() - ${KEPT}
          order by next_try_at limit 1 for update skip locked)
        returning id, scope, account_id, stack_id, key_id, to_char(month, 'YYYY-MM') as month, level, limit_micros,
          used_micros, created_at, attempts`,
    );
    const row = await findRow(this.#pool, noticeRow, statement);
    if (row === undefined) return undefined;
    const { accountId, stackId, keyId, attempts, ...same } = row;
    return {
      ...same,
      attempt: attempts,
      ...(accountId !== '' && { account: accountId }),
      ...(stackId !== '' && { stack: stackId }),
      ...(keyId !== '' && { key: keyId }),
    };
  }

  async delivered(id: string): Promise<void> {
    await execute(this.#pool, sql`update budget_notices set delivered_at = now() where id = ${id}`);
  }

  async postpone(id: string, delayMs: number): Promise<void> {
    await execute(
      this.#pool,
      sql`update budget_notices set next_try_at = now() + make_interval(secs => ${delayMs}::double precision / 1000)
        where id = ${id}`,
    );
  }
}
