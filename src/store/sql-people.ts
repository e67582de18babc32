import type pg from 'pg';
import { z } from 'zod';
import type { PasswordChange, PeopleStore } from '../people/people-store.ts';
import type { Person, SetupLink, Standing } from '../people/person.ts';
import { orDatabaseAway } from './database-errors.ts';
import { type Connection, execute, findRow, queryRows } from './query.ts';
import { type Sql, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const role = z.enum(['operator', 'read-only', 'member']);

/** A row of `people`. */
export const personRow = z.object({
  name: z.string(),
  role,
  stackId: z.string().nullable(),
  passwordHash: z.string().nullable(),
  createdAt: z.date(),
  lastLogInAt: z.date().nullable(),
});

const linkRow = z.object({
  tokenHash: z.string(),
  name: z.string().nullable(),
  role,
  stackId: z.string().nullable(),
  expiresAt: z.date(),
});

/** People and their links, in the database. */
export class SqlPeople implements PeopleStore {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async list(): Promise<readonly Person[]> {
    const rows = await orDatabaseAway(
      queryRows(this.#pool, personRow, sql`select * from people order by name`),
    );
    return rows.map(personOf);
  }

  async find(name: string): Promise<Person | undefined> {
    const query = sql`select * from people where name = ${name}`;
    const row = await orDatabaseAway(findRow(this.#pool, personRow, query));
    return row && personOf(row);
  }

  async addLink({ tokenHash, name, role, stackId, expiresAt }: SetupLink): Promise<void> {
    await orDatabaseAway(
      execute(
        this.#pool,
        sql`insert into setup_links (token_hash, name, role, stack_id, expires_at)
          values (${tokenHash}, ${name ?? null}, ${role}, ${stackId ?? null}, ${expiresAt})`,
      ),
    );
  }

  async findLink(tokenHash: string): Promise<SetupLink | undefined> {
    return await orDatabaseAway(findLink(this.#pool, tokenHash));
  }

  useLink(tokenHash: string, person: { readonly name: string } & PasswordChange): Promise<boolean> {
    return orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        const link = await findLink(client, tokenHash, sql`for update`);
        if (link === undefined) return false;
        await execute(
          client,
          sql`delete from setup_links where name is not distinct from ${link.name ?? null}`,
        );
        await execute(
          client,
          sql`insert into people (name, role, stack_id, password_hash, created_at)
            values (${person.name}, ${link.role}, ${link.stackId ?? null}, ${person.passwordHash}, ${person.at})
            on conflict (name) do update set role = excluded.role, stack_id = excluded.stack_id,
              password_hash = excluded.password_hash`,
        );
        await endSessions(client, person.name);
        return true;
      }),
    );
  }

  setPassword(name: string, { passwordHash }: PasswordChange): Promise<void> {
    return orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        await execute(client, sql`update people set password_hash = ${passwordHash} where name = ${name}`);
        await endSessions(client, name);
      }),
    );
  }

  async saveOutside({
    name,
    role,
    stackId,
    at,
  }: Standing & { readonly name: string; readonly at: Date }): Promise<void> {
    await orDatabaseAway(
      execute(
        this.#pool,
        sql`insert into people (name, role, stack_id, created_at) values (${name}, ${role}, ${stackId ?? null}, ${at})
          on conflict (name) do update set role = excluded.role, stack_id = excluded.stack_id`,
      ),
    );
  }

  async noteLogIn(name: string, at: Date): Promise<void> {
    const query = sql`update people set last_log_in_at = ${at} where name = ${name}`;
    await orDatabaseAway(execute(this.#pool, query));
  }

  remove(name: string): Promise<boolean> {
    return orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        await execute(client, sql`delete from setup_links where name = ${name}`);
        return (await execute(client, sql`delete from people where name = ${name}`)) > 0;
      }),
    );
  }
}

async function findLink(
  connection: Connection,
  tokenHash: string,
  lock: Sql = sql``,
): Promise<SetupLink | undefined> {
  const query = sql`select * from setup_links where token_hash = ${tokenHash} ${lock}`;
  const row = await findRow(connection, linkRow, query);
  return row && { ...row, name: row.name ?? undefined, stackId: row.stackId ?? undefined };
}

async function endSessions(connection: Connection, name: string): Promise<void> {
  await execute(connection, sql`delete from console_sessions where person = ${name}`);
}

function personOf(row: z.infer<typeof personRow>): Person {
  return {
    ...row,
    stackId: row.stackId ?? undefined,
    passwordHash: row.passwordHash ?? undefined,
    lastLogInAt: row.lastLogInAt ?? undefined,
  };
}
