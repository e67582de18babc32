import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { migrate, migrationNames, rollBack } from '../../src/store/migrate.ts';
import { releases } from '../../src/store/releases.ts';
import type { TestDatabase } from '../open-test-database.ts';
import {
  laterRows,
  migrationText,
  openReleasedDatabase,
  outcomesOf,
  RELEASE,
  refusalsAmong,
  releasedMigrations,
  releasedStatements,
  rowsOf,
} from './released-database.ts';

const release = releases[RELEASE] ?? { lastMigration: '', declaresBuiltInStack: false };
const last = release.lastMigration;
/** Tables that have rows only while something runs. */
const TRANSIENT = ['image_places', 'image_submissions'];

const open: TestDatabase[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

async function openReleased() {
  const database = await openReleasedDatabase();
  open.push(database);
  return database.pool;
}

function emptyOnes(tables: Readonly<Record<string, readonly object[]>>): readonly string[] {
  return Object.entries(tables).flatMap(([name, rows]) => (rows.length === 0 ? [name] : []));
}

describe(`a database of version ${RELEASE}`, () => {
  it('has the migrations of that release, which nothing may change any more', async () => {
    const sums = releasedMigrations.map(([, name = '']) => [
      createHash('sha256').update(migrationText(name)).digest('hex'),
      name,
    ]);
    expect(sums).toEqual(releasedMigrations);
    expect(releasedMigrations.at(-1)?.[1]).toBe(last);
    expect(releasedStatements.length).toBeGreaterThan(100);
  });

  it('is upgraded without a change of its rows, and serves the statements of the release as before', async () => {
    const pool = await openReleased();
    const before = await rowsOf(pool);
    expect(emptyOnes(before)).toEqual(TRANSIENT);
    const outcomes = await outcomesOf(pool);
    expect(refusalsAmong(outcomes)).toEqual([]);
    const added = (await migrationNames()).filter((name) => name > last);
    expect(await migrate(pool)).toEqual(added);
    // New columns may come; those of the release keep their values.
    expect(await rowsOf(pool)).toMatchObject(before);
    expect(await outcomesOf(pool)).toEqual(outcomes);
    await pool.query(laterRows);
    expect(emptyOnes(await rowsOf(pool))).toEqual(TRANSIENT);
    expect(await outcomesOf(pool)).toEqual(outcomes);
  });

  it('can be given back to the release, and be upgraded again, with everything that is in it', async () => {
    const pool = await openReleased();
    const outcomes = await outcomesOf(pool);
    const added = await migrate(pool);
    await pool.query(laterRows);
    const upgraded = await rowsOf(pool);
    expect(await rollBack(pool, release)).toEqual(added);
    // The release checks this at its start.
    const { rows } = await pool.query('select checksum, name from schema_migrations order by name');
    expect(rows.map(({ checksum, name }) => [checksum, name])).toEqual(releasedMigrations);
    expect(await outcomesOf(pool)).toEqual(outcomes);
    expect(await migrate(pool)).toEqual([]);
    expect(await rowsOf(pool)).toEqual(upgraded);
    const { rows: applied } = await pool.query('select name from schema_migrations order by name');
    expect(applied.map(({ name }) => name)).toEqual(await migrationNames());
  });
});
