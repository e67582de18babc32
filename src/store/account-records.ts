import { z } from 'zod';
import type { BudgetLimits } from '../config/config.ts';
import { type Connection, execute, jsonObject, jsonOrNull, queryRows } from './query.ts';
import { sql } from './sql.ts';

/** A row of `accounts`. */
export const accountRow = z.object({
  id: z.string(),
  createdAt: z.date(),
  budget: jsonObject<BudgetLimits>().nullable(),
  budgetDeclared: z.boolean(),
});

/** An account as stored. */
export type AccountRecord = z.infer<typeof accountRow>;

/** The accounts in the database, which stacks make. */
export class AccountRecords {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): Promise<AccountRecord[]> {
    return queryRows(this.#connection, accountRow, sql`select * from accounts order by id`);
  }

  /** Sets the budget of an account; null removes it. */
  async setBudget(id: string, budget: BudgetLimits | null, isDeclared: boolean): Promise<void> {
    await execute(
      this.#connection,
      sql`insert into accounts (id, budget, budget_declared) values (${id}, ${jsonOrNull(budget)}, ${isDeclared})
        on conflict (id) do update set budget = excluded.budget, budget_declared = excluded.budget_declared`,
    );
  }
}
