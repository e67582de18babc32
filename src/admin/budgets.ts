import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { z } from 'zod';
import { MICROS_PER_UNIT } from '../access/price-list.ts';
import type { BudgetLimits, BudgetsConfig } from '../config/config.ts';
import type { AccountRecord } from '../store/account-records.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { monthSpending } from '../store/month-spending.ts';
import { jsonObject, queryRows, wholeNumber } from '../store/query.ts';
import { changeRecords } from '../store/records.ts';
import { sql } from '../store/sql.ts';
import { configurationFile } from './declared-audit.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorWork } from './operator-storage.ts';

const budgetRow = z.object({
  scope: z.enum(['account', 'stack', 'key']),
  name: z.string(),
  budget: jsonObject<BudgetLimits>(),
  usedMicros: wholeNumber,
});

/** A budget and what was spent of it this month. */
export interface BudgetView {
  readonly scope: 'account' | 'stack' | 'key';
  /** The account, the stack, or the stack and the key with a slash. */
  readonly name: string;
  readonly hard: number | null;
  readonly soft: number | null;
  readonly used: number;
}

/** Every budget, with what the usage ledger says that was spent of it. */
export async function listBudgets(pool: pg.Pool): Promise<readonly BudgetView[]> {
  const rows = await queryRows(
    pool,
    budgetRow,
    sql`with ${monthSpending}
      select scope, case scope when 'account' then account when 'stack' then stack else stack || '/' || key end as name,
        budget, used as used_micros
      from spent order by array_position(array['account', 'stack', 'key'], scope), name`,
  );
  return rows.map(({ budget, usedMicros, ...same }) => ({
    ...same,
    hard: budget.hard ?? null,
    soft: budget.soft ?? null,
    used: usedMicros / MICROS_PER_UNIT,
  }));
}

/** Sets the budget of an account that the file does not declare; null removes it. */
export function setAccountBudget(
  { pool, operator }: OperatorWork,
  id: string,
  budget: BudgetLimits | null,
): Promise<void> {
  return changeRecords(pool, async ({ accounts, connection }) => {
    const account = (await accounts.list()).find((each) => each.id === id);
    if (account === undefined) throw new OperatorError(`there is no account "${id}"; stacks make them`);
    if (account.budgetDeclared) {
      throw new OperatorError(
        `the budget of account "${id}" is declared in the configuration file: change it there and send SIGHUP`,
      );
    }
    await accounts.setBudget(id, budget, false);
    const views = { before: { budget: account.budget }, after: { budget } };
    await recordAudit(connection, operator, { action: 'account.change', target: id, ...views });
  });
}

/** Applies the budgets of accounts in the file, and records the changes in the audit; those that are gone from the file end. */
export function applyAccountBudgets(pool: pg.Pool, declared: BudgetsConfig['accounts']): Promise<void> {
  return changeRecords(pool, async ({ accounts, connection }) => {
    const before = await accounts.list();
    for (const { id, budgetDeclared } of before)
      if (budgetDeclared && !Object.hasOwn(declared, id)) await accounts.setBudget(id, null, false);
    for (const [id, budget] of Object.entries(declared)) await accounts.setBudget(id, budget, true);
    for (const account of await accounts.list()) {
      const old = before.find(({ id }) => id === account.id);
      const views = { before: budgetView(old), after: budgetView(account) };
      if (isDeepStrictEqual(views.before, views.after)) continue;
      const change = { action: 'account.change', target: account.id, ...views };
      await recordAudit(connection, configurationFile(), change);
    }
  });
}

function budgetView(account: AccountRecord | undefined): object {
  return { budget: account?.budget ?? null, declared: account?.budgetDeclared ?? false };
}
