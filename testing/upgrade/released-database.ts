import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { openTestDatabase, type TestDatabase } from '../open-test-database.ts';
import { realPostgresAvailable } from '../real-postgres/postgres-binaries.ts';
import { fromJsonValue, type RecordedStatement } from './recorded-statement.ts';

/** The release whose schema, rows and statements are kept. */
export const RELEASE = '0.1.0';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const lines = (name: string) => read(`./v${RELEASE}/${name}`).trim().split('\n');

/** The checksum and the name of each of its migrations. */
export const releasedMigrations: readonly (readonly string[])[] = lines('migrations.txt').map((line) =>
  line.split('  '),
);

/** Its statements. */
export const releasedStatements: readonly RecordedStatement[] = lines('statements.jsonl').map((line) =>
  JSON.parse(line),
);

/** Rows of every table that it keeps data in. */
export const releasedRows = read(`./v${RELEASE}/data.sql`);

/** Rows of every table and column that came later. */
export const laterRows = read('./later-rows.sql');

/** The text of a migration. */
export function migrationText(name: string): string {
  return read(`../../src/store/migrations/${name}`);
}

/** Opens a database as the release has made and filled it. */
export async function openReleasedDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase(realPostgresAvailable ? 'postgres' : 'embedded');
  const { pool } = database;
  await pool.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  for (const [checksum = '', name = ''] of releasedMigrations) {
    await pool.query(migrationText(name));
    await pool.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  await pool.query(releasedRows);
  return database;
}

/** All rows of all tables but those of migrations, as JSON. */
export async function rowsOf(pool: pg.Pool): Promise<Readonly<Record<string, readonly object[]>>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not like '%migrations' order by relname`,
  );
  const all: Record<string, readonly object[]> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: object }>(
      `select to_jsonb(t) as row from "${name}" t order by t::text`,
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/** A statement may find rows of the moment in its way: missing owners, rows that are there already. The schema must not be. */
const SOUND = /^(ok|23503|23505): /;

/** The outcomes of statements that the schema refuses. */
export function refusalsAmong(outcomes: readonly string[]): readonly string[] {
  return outcomes.filter((outcome) => !SOUND.test(outcome));
}

/** How each recorded statement ends, tried in a transaction of its own: `ok`, or the code of its error. */
export async function outcomesOf(pool: pg.Pool): Promise<readonly string[]> {
  const outcomes: string[] = [];
  const client = await pool.connect();
  try {
    for (const { text, values } of releasedStatements) {
      await client.query('begin');
      const outcome = await client.query(text, values.map(fromJsonValue)).then(
        () => 'ok',
        (error: Error) => ('code' in error ? String(error.code) : error.message),
      );
      outcomes.push(`${outcome}: ${text}`);
      await client.query('rollback');
    }
  } finally {
    client.release();
  }
  return outcomes;
}
