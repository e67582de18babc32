import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate, migrationNames, setMigrationsAside } from '../../src/store/migrate.ts';
import { releases } from '../../src/store/releases.ts';
import { openTestDatabase, type TestDatabase } from '../open-test-database.ts';
import { realPostgresAvailable } from '../real-postgres/postgres-binaries.ts';
import { fromJsonValue, type RecordedStatement } from './recorded-statement.ts';

const RELEASE = '0.1.0';
const fixture = (name: string) => readFileSync(new URL(`./v${RELEASE}/${name}`, import.meta.url), 'utf8');
const migration = (name: string) =>
  readFileSync(new URL(`../../src/store/migrations/${name}`, import.meta.url), 'utf8');
const released = fixture('migrations.txt')
  .trim()
  .split('\n')
  .map((line) => line.split('  '));
const statements: readonly RecordedStatement[] = fixture('statements.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Failures that come from the rows of the moment, not from the schema: missing owners, rows that are there already. */
const OF_DATA = new Set(['23503', '23505']);

const open: TestDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

/** A database as the release has made and filled it. */
async function openReleased(): Promise<pg.Pool> {
  const database = await openTestDatabase(realPostgresAvailable ? 'postgres' : 'embedded');
  open.push(database);
  const { pool } = database;
  await pool.query(
    'create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  for (const [checksum = '', name = ''] of released) {
    await pool.query(migration(name));
    await pool.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  await pool.query(fixture('data.sql'));
  return pool;
}

/** All rows of the release's tables, as JSON. */
async function rowsOf(pool: pg.Pool): Promise<Readonly<Record<string, readonly object[]>>> {
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

/** The recorded statements that the schema refuses, each tried in a transaction of its own. */
async function refusals(pool: pg.Pool): Promise<readonly string[]> {
  const found: string[] = [];
  const client = await pool.connect();
  try {
    for (const { text, values } of statements) {
      await client.query('begin');
      try {
        await client.query(text, values.map(fromJsonValue));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : '';
        if (!OF_DATA.has(code)) found.push(`${code} ${error}: ${text}`);
      }
      await client.query('rollback');
    }
  } finally {
    client.release();
  }
  return found;
}

describe(`a database of version ${RELEASE}`, () => {
  it('has the migrations of that release, which nothing may change any more', async () => {
    const sums = released.map(([, name = '']) => [
      createHash('sha256').update(migration(name)).digest('hex'),
      name,
    ]);
    expect(sums).toEqual(released);
    expect(released.at(-1)?.[1]).toBe(releases[RELEASE]);
    expect(statements.length).toBeGreaterThan(100);
  });

  it('is upgraded without a change of its rows, and serves the statements of the release as before', async () => {
    const pool = await openReleased();
    const before = await rowsOf(pool);
    expect(Object.values(before).filter((rows) => rows.length === 0)).toHaveLength(2);
    expect(await refusals(pool)).toEqual([]);
    const added = (await migrationNames()).filter((name) => name > (releases[RELEASE] ?? ''));
    expect(await migrate(pool)).toEqual(added);
    // New columns may come; those of the release keep their values.
    expect(await rowsOf(pool)).toMatchObject(before);
    expect(await refusals(pool)).toEqual([]);
  });

  it('can be given back to the release, and be upgraded again, with everything that is in it', async () => {
    const pool = await openReleased();
    const added = await migrate(pool);
    await pool.query(`insert into idempotency_totals values ('shop', 1, 2)`);
    const upgraded = await rowsOf(pool);
    expect(await setMigrationsAside(pool, releases[RELEASE] ?? '')).toEqual(added);
    // What the release checks at its start.
    const { rows } = await pool.query('select checksum, name from schema_migrations order by name');
    expect(rows.map(({ checksum, name }) => [checksum, name])).toEqual(released);
    expect(await refusals(pool)).toEqual([]);
    expect(await migrate(pool)).toEqual([]);
    expect(await rowsOf(pool)).toEqual(upgraded);
    const { rows: applied } = await pool.query('select name from schema_migrations order by name');
    expect(applied.map(({ name }) => name)).toEqual(await migrationNames());
  });
});
