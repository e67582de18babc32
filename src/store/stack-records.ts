import { z } from 'zod';
import { type BudgetLimits, type LimitOverrides, planNames } from '../config/config.ts';
import { type Connection, execute, findRow, jsonObject, jsonOrNull, queryRow, queryRows } from './query.ts';
import { sql } from './sql.ts';

/** A row of `stacks`. */
export const stackRow = z.object({
  id: z.string(),
  accountId: z.string(),
  plan: z.enum(planNames),
  imagePlan: z.boolean(),
  textEngines: z.array(z.string()).nullable(),
  imageEngine: z.string().nullable(),
  models: z.array(z.string()).nullable(),
  systemPrompt: z.string().nullable(),
  temperature: z.number().nullable(),
  paused: z.boolean(),
  storeResponses: z.boolean(),
  limits: jsonObject<LimitOverrides>(),
  budget: jsonObject<BudgetLimits>().nullable(),
  declared: z.boolean(),
  disabledAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});

/** A stack as stored. */
export type StackRecord = z.infer<typeof stackRow>;

/** The values of a stack that are written; the database sets the times. */
export type StackValues = Omit<StackRecord, 'createdAt' | 'updatedAt' | 'disabledAt'>;

/** The stacks in the database. */
export class StackRecords {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  list(): Promise<StackRecord[]> {
    return queryRows(this.#connection, stackRow, sql`select * from stacks order by id`);
  }

  find(id: string): Promise<StackRecord | undefined> {
    return findRow(this.#connection, stackRow, sql`select * from stacks where id = ${id}`);
  }

  /** Inserts or replaces a stack, makes its account, and enables it. */
  async save(stack: StackValues): Promise<StackRecord> {
    await execute(
      this.#connection,
      sql`insert into accounts (id) values (${stack.accountId}) on conflict do nothing`,
    );
    return queryRow(
      this.#connection,
      stackRow,
      sql`insert into stacks (id, account_id, plan, image_plan, text_engines, image_engine, models, system_prompt,
          temperature, paused, store_responses, limits, budget, declared)
        values (${stack.id}, ${stack.accountId}, ${stack.plan}, ${stack.imagePlan}, ${stack.textEngines},
          ${stack.imageEngine}, ${stack.models}, ${stack.systemPrompt}, ${stack.temperature}, ${stack.paused},
          ${stack.storeResponses}, ${JSON.stringify(stack.limits)}, ${jsonOrNull(stack.budget)}, ${stack.declared})
        on conflict (id) do update set account_id = excluded.account_id, plan = excluded.plan,
          image_plan = excluded.image_plan, text_engines = excluded.text_engines, image_engine = excluded.image_engine,
          models = excluded.models, system_prompt = excluded.system_prompt, temperature = excluded.temperature,
          paused = excluded.paused, store_responses = excluded.store_responses, limits = excluded.limits,
          budget = excluded.budget, declared = excluded.declared, disabled_at = null, updated_at = now()
        returning *`,
    );
  }

  /** Disables a stack, and so all of its keys. */
  async disable(id: string): Promise<void> {
    await execute(this.#connection, sql`update stacks set disabled_at = now() where id = ${id}`);
  }
}
