import { asc, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { accounts, stacks } from './schema.ts';

/** A stack as stored. */
export type StackRecord = typeof stacks.$inferSelect;

/** What is written of a stack; times are the database's. */
export type StackValues = Omit<StackRecord, 'createdAt' | 'updatedAt' | 'disabledAt'>;

/** The stacks in the database. */
export class StackRecords {
  readonly #database: NodePgDatabase;

  constructor(database: NodePgDatabase) {
    this.#database = database;
  }

  list(): Promise<StackRecord[]> {
    return this.#database.select().from(stacks).orderBy(asc(stacks.id));
  }

  async find(id: string): Promise<StackRecord | undefined> {
    const [stack] = await this.#database.select().from(stacks).where(eq(stacks.id, id));
    return stack;
  }

  /** Inserts or replaces a stack, makes its account, and enables it. */
  async save(values: StackValues): Promise<StackRecord> {
    await this.#database.insert(accounts).values({ id: values.accountId }).onConflictDoNothing();
    const { id: _id, ...changed } = values;
    const [stack] = await this.#database
      .insert(stacks)
      .values(values)
      .onConflictDoUpdate({ target: stacks.id, set: { ...changed, disabledAt: null, updatedAt: sql`now()` } })
      .returning();
    if (stack === undefined) throw new Error('saving a stack returned no row');
    return stack;
  }

  /** Disables a stack, and so all of its keys. */
  async disable(id: string): Promise<void> {
    await this.#database.update(stacks).set({ disabledAt: sql`now()` }).where(eq(stacks.id, id));
  }
}
