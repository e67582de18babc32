import type pg from 'pg';
import { z } from 'zod';
import type { LogInNote } from '../people/log-in-note.ts';
import type { PasswordChange, PeopleStore } from '../people/people-store.ts';
import type { Person, SetupLink, Standing } from '../people/person.ts';
import { orDatabaseAway } from './database-errors.ts';
import { recordLogIn } from './log-in-audit.ts';
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

  async hasAny(): Promise<boolean> {
    return (await orDatabaseAway(execute(this.#pool, sql`select from people limit 1`))) > 0;
  }

  find(name: string): Promise<Person | undefined> {
    return orDatabaseAway(new PeopleRecords(this.#pool).find(name));
  }

  async addLink(link: SetupLink): Promise<void> {
    await orDatabaseAway(new PeopleRecords(this.#pool).addLink(link));
  }

  async findLink(tokenHash: string): Promise<SetupLink | undefined> {
    return await orDatabaseAway(findLink(this.#pool, tokenHash));
  }

  useLink(tokenHash: string, { name, passwordHash, at, note }: PasswordChange): Promise<boolean> {
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
            values (${name}, ${link.role}, ${link.stackId ?? null}, ${passwordHash}, ${at})
            on conflict (name) do update set role = excluded.role, stack_id = excluded.stack_id,
              password_hash = excluded.password_hash`,
        );
        await endSessions(client, name);
        await recordLogIn(client, note);
        return true;
      }),
    );
  }

  setPassword({ name, passwordHash, note }: PasswordChange): Promise<void> {
    return orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        await execute(client, sql`update people set password_hash = ${passwordHash} where name = ${name}`);
        await endSessions(client, name);
        await recordLogIn(client, note);
      }),
    );
  }

  endSessions(note: LogInNote): Promise<void> {
    return orDatabaseAway(
      inTransaction(this.#pool, async (client) => {
        if ((await endSessions(client, note.actor)) > 0) await recordLogIn(client, note);
      }),
    );
  }
}

/** People and their links, also within a transaction. */
export class PeopleRecords {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async find(name: string): Promise<Person | undefined> {
    const row = await findRow(this.#connection, personRow, sql`select * from people where name = ${name}`);
    return row && personOf(row);
  }

  async addLink({ tokenHash, name, role, stackId, expiresAt }: SetupLink): Promise<void> {
    // Links of a first operator have no name: each replica prints its own.
    await execute(this.#connection, sql`delete from setup_links where name = ${name ?? null}`);
    await execute(
      this.#connection,
      sql`insert into setup_links (token_hash, name, role, stack_id, expires_at)
        values (${tokenHash}, ${name ?? null}, ${role}, ${stackId ?? null}, ${expiresAt})`,
    );
  }

  /** A person who was invited and has set no password yet. */
  async findInvitation(name: string): Promise<(Standing & { readonly name: string }) | undefined> {
    const query = sql`select * from setup_links where name = ${name} limit 1`;
    const row = await findRow(this.#connection, linkRow, query);
    return row && { name, role: row.role, stackId: row.stackId ?? undefined };
  }

  /** With all sessions and links. */
  async remove(name: string): Promise<void> {
    await execute(this.#connection, sql`delete from setup_links where name = ${name}`);
    await execute(this.#connection, sql`delete from people where name = ${name}`);
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

function endSessions(connection: Connection, name: string): Promise<number> {
  return execute(connection, sql`delete from console_sessions where person = ${name}`);
}

function personOf(row: z.infer<typeof personRow>): Person {
  return {
    ...row,
    stackId: row.stackId ?? undefined,
    passwordHash: row.passwordHash ?? undefined,
    lastLogInAt: row.lastLogInAt ?? undefined,
  };
}
