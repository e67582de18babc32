import { z } from 'zod';
import { type BudgetLimits, type LimitOverrides, planNames } from '../config/config.ts';
import {
  type Connection,
  execute,
  findRow,
  jsonObject,
  jsonOrNull,
  queryRow,
  queryRows,
  wholeNumber,
} from './query.ts';
import { joined, sql } from './sql.ts';

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

const stackWithKeys = stackRow.extend({ keys: wholeNumber });

/** A stack and the number of its keys. */
export type StackWithKeys = z.infer<typeof stackWithKeys>;

export interface StackQuery {
  readonly limit: number;
  /** The last id of the page before. */
  readonly after?: string | undefined;
  /** Has to be in the id or the account. */
  readonly text?: string | undefined;
  readonly id?: string | undefined;
}

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

  /** A page in the order of ids, each stack with the number of its keys. */
  page({ limit, after, text, id }: StackQuery): Promise<readonly StackWithKeys[]> {
    const conditions = [
      sql`true`,
      ...(after === undefined ? [] : [sql`id > ${after}`]),
      ...(id === undefined ? [] : [sql`id = ${id}`]),
      ...(text === undefined
        ? []
        : [sql`(position(${text} in id) > 0 or position(${text} in account_id) > 0)`]),
    ];
    return queryRows(
      this.#connection,
      stackWithKeys,
      sql`select page.*, (select count(*) from keys where stack_id = page.id) as keys
        from (select * from stacks where ${joined(conditions, ' and ')} order by id limit ${limit}) as page
        order by page.id`,
    );
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
