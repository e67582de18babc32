import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { type DatabaseKind, openMigratedDatabase, type TestDatabase } from './open-test-database.ts';
import { realPostgresAvailable } from './real-postgres/postgres-binaries.ts';

type Suite = (database: () => TestDatabase) => void;

/** Runs a suite on the embedded database and on PostgreSQL; each test starts with empty tables. */
export function describeOnDatabases(name: string, suite: Suite): void {
  describeOn('embedded', name, suite);
  if (realPostgresAvailable) describeOn('postgres', name, suite);
  else describe.skip(`${name}, on postgres`, () => {});
}

/** Runs a suite on the fastest available database, for code that relies on parts tested on both. */
export function describeOnDatabase(name: string, suite: Suite): void {
  describeOn(realPostgresAvailable ? 'postgres' : 'embedded', name, suite);
}

function describeOn(kind: DatabaseKind, name: string, suite: Suite): void {
  describe(`${name}, on ${kind}`, () => {
    let database: TestDatabase | undefined;
    beforeAll(async () => {
      database = await openMigratedDatabase(kind);
    });
    beforeEach(() => emptyTables(opened(database).pool));
    afterAll(() => database?.close());
    suite(() => opened(database));
  });
}

/** Removes every row; faster than recreating the tables. */
async function emptyTables(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from limit_shares; delete from image_submissions; delete from image_places; delete from erased_images; delete from image_erasures;
     delete from images; delete from erased_files; delete from file_erasures; delete from files; delete from link_secrets;
     update file_sweeps set holder = default, lease_until = default, next_shard = default, searched_at = default;
     update image_sweeps set holder = default, lease_until = default, next_shard = default, searched_at = default;
     delete from responses; delete from conversations; delete from response_leftovers; delete from erased_responses;
     delete from response_erasures; delete from usage_days; delete from usage_writers; delete from budget_notices;
     update backup_schedule set done_until = default, holder = default, lease_until = default; delete from idempotent_requests; delete from idempotency_totals;
     delete from knowledge_documents; delete from knowledge_chunks; delete from knowledge_generations; delete from knowledge_leftovers; delete from knowledge_folders;
     delete from console_sessions; delete from setup_links; delete from people;
     truncate audit; delete from operator_tokens; delete from key_secrets; delete from keys; delete from stacks; delete from accounts`,
  );
}

/** Removes every table. */
export async function dropEverything(pool: pg.Pool): Promise<void> {
  await pool.query('drop schema public cascade; create schema public');
}

function opened(database: TestDatabase | undefined): TestDatabase {
  if (database === undefined) throw new Error('the database is opened by a hook, before the tests');
  return database;
}
