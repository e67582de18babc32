import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { z } from 'zod';
import { defaultStack } from '../config/default-stack.ts';
import { execute, queryRows } from './query.ts';
import type { Release } from './releases.ts';
import { script, sql } from './sql.ts';
import { inTransaction } from './transaction.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
const SET_ASIDE = sql`create table if not exists set_aside_migrations (
  name text primary key, checksum text not null)`;
// Only the built-in stack has a declared key without being declared itself.
const DECLARE_BUILT_IN = sql`update stacks set declared = true where id = ${defaultStack.id} and not declared
  and exists (select from keys where stack_id = stacks.id and declared)`;
// Any constant will do: it names the lock that lets one process migrate at a time.
const LOCK_ID = 7_205_759;

/** A database that this version must not touch: newer than the program, or changed by hand. */
export class MigrationMismatch extends Error {
  override readonly name = 'MigrationMismatch';
}

const nameRow = z.object({ name: z.string() });
const appliedRow = z.object({ name: z.string(), checksum: z.string() });

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Brings the database to this version's schema: all missing files in one transaction, one process at a time. Returns the names of the applied files. */
export async function migrate(pool: pg.Pool): Promise<readonly string[]> {
  const migrations = await readMigrations();
  return inTransaction(pool, async (client) => {
    await execute(client, sql`select pg_advisory_xact_lock(${LOCK_ID})`);
    await execute(
      client,
      sql`create table if not exists schema_migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    await takeBack(client, migrations);
    const applied = await queryRows(client, appliedRow, sql`select name, checksum from schema_migrations`);
    const missing = missingMigrations(migrations, new Map(applied.map((row) => [row.name, row.checksum])));
    for (const migration of missing) await apply(client, migration);
    return missing.map((migration) => migration.name);
  });
}

/**
 * Lets an older release start again: later migrations are set aside, while their tables stay. Migrations only add, so the older
 * version works beside them; a newer one takes them back when it starts. Returns their names.
 */
export function rollBack(pool: pg.Pool, release: Release): Promise<readonly string[]> {
  return inTransaction(pool, async (client) => {
    await execute(client, sql`select pg_advisory_xact_lock(${LOCK_ID})`);
    await execute(client, SET_ASIDE);
    const moved = await queryRows(
      client,
      nameRow,
      sql`with gone as (delete from schema_migrations where name collate "C" > ${release.lastMigration} returning name, checksum)
        insert into set_aside_migrations (name, checksum) select name, checksum from gone returning name`,
    );
    if (release.declaresBuiltInStack) await execute(client, DECLARE_BUILT_IN);
    return moved.map(({ name }) => name).sort();
  });
}

/** The names of this version's migrations, in order. */
export async function migrationNames(): Promise<readonly string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
}

/** The tables of migrations that were set aside are there already. */
async function takeBack(client: pg.PoolClient, migrations: readonly Migration[]): Promise<void> {
  await execute(client, SET_ASIDE);
  await execute(
    client,
    sql`with back as (delete from set_aside_migrations where name = any (${migrations.map(({ name }) => name)})
        returning name, checksum)
      insert into schema_migrations (name, checksum) select name, checksum from back`,
  );
}

async function readMigrations(): Promise<readonly Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function missingMigrations(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of applied) {
    const expected = known.get(name);
    if (expected === undefined) {
      throw new MigrationMismatch(
        `the database has migration ${name}, which this version does not know: run the newer version, or restore a backup made by this one`,
      );
    }
    if (expected !== checksum)
      throw new MigrationMismatch(`migration ${name} differs from the one the database was made with`);
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function apply(client: pg.PoolClient, { name, text, checksum }: Migration): Promise<void> {
  await execute(client, script(text));
  await execute(client, sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`);
}
