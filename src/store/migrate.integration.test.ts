import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { describeOnDatabases, dropEverything } from '../../testing/describe-on-databases.ts';
import { auditRow } from './audit-trail.ts';
import { postgresPool } from './database.ts';
import { fileRow } from './file-records.ts';
import { imageRow } from './image-records.ts';
import { keyRow } from './key-records.ts';
import { documentRow } from './knowledge-versions.ts';
import { MigrationMismatch, migrate, migrationNames } from './migrate.ts';
import { operatorTokenRow } from './operator-tokens.ts';
import { execute, queryRows } from './query.ts';
import { sql } from './sql.ts';
import { personRow } from './sql-people.ts';
import { stackRow } from './stack-records.ts';

const PROCESSES = 6;
const nameRow = z.object({ name: z.string() });
const checksumRow = nameRow.extend({ checksum: z.string() });
const columnRow = nameRow.extend({ isNullable: z.boolean() });
const TABLES = [
  'accounts',
  'audit',
  'backup_schedule',
  'budget_notices',
  'console_sessions',
  'conversation_items',
  'conversations',
  'erased_files',
  'erased_images',
  'erased_responses',
  'file_erasures',
  'file_sweeps',
  'files',
  'idempotency_totals',
  'idempotent_requests',
  'image_erasures',
  'image_places',
  'image_submissions',
  'image_sweeps',
  'images',
  'key_secrets',
  'keys',
  'knowledge_chunks',
  'knowledge_documents',
  'knowledge_folders',
  'knowledge_generations',
  'knowledge_leftovers',
  'limit_shares',
  'link_secrets',
  'operator_tokens',
  'people',
  'response_erasures',
  'response_events',
  'response_items',
  'response_jobs',
  'response_leftovers',
  'responses',
  'schema_migrations',
  'set_aside_migrations',
  'setup_links',
  'stacks',
  'usage_days',
  'usage_stack_days',
  'usage_writers',
];
// In every database that a released version made: a changed file would make this version refuse it.
const RELEASED = {
  '0001-accounts-stacks-keys.sql': '0e4c60a9ee2580715333b217a4e3b9a133dc7f53710e7505e7e3a68ec87525c5',
  '0002-images.sql': '5bec0a4986fbb23b179009a516357f1097cfd8ab6e9d621a82982f0629319f5e',
  '0003-knowledge.sql': 'a5a2e04913c107cb755f572b2da611bb8d3c32d61f09cf9d322c850c6f3313dd',
  '0004-usage.sql': '2ebf1cbe5c7497ca28a961995ec25f1093dc19521797a428c06cc9ee5f0b9c1b',
  '0005-limits.sql': '76e438ebbc725e732739874e2ef2beda72314b81fd71a1f9aeccab0117b0276f',
};

describeOnDatabases('migrate', (database) => {
  afterEach(async () => {
    await dropEverything(database().pool);
    await migrate(database().pool);
  });

  it('makes every table, and nothing the second time', async () => {
    const { pool } = database();
    await dropEverything(pool);
    expect(await migrate(pool)).toEqual(await migrationNames());
    expect(await tableNames()).toEqual(TABLES);
    expect(await migrate(pool)).toEqual([]);
  });

  it('applies files once when several processes start together', async () => {
    const { pool, url } = database();
    await dropEverything(pool);
    const pools = Array.from({ length: PROCESSES }, () => (url === undefined ? pool : postgresPool(url)));
    try {
      const applied = await Promise.all(pools.map(migrate));
      expect(applied.flat()).toEqual(await migrationNames());
    } finally {
      await Promise.all(pools.filter((other) => other !== pool).map((other) => other.end()));
    }
  });

  it('refuses a database that a newer version made', async () => {
    const { pool } = database();
    await execute(pool, sql`insert into schema_migrations (name, checksum) values ('9999-later.sql', 'x')`);
    await expect(migrate(pool)).rejects.toThrow(MigrationMismatch);
    await expect(migrate(pool)).rejects.toThrow(
      'the database has migration 9999-later.sql, which this version does not know',
    );
  });

  it('refuses a database made with another version of a file', async () => {
    const { pool } = database();
    await execute(pool, sql`update schema_migrations set checksum = 'x'`);
    await expect(migrate(pool)).rejects.toThrow(
      'migration 0001-accounts-stacks-keys.sql differs from the one the database was made with',
    );
  });

  it('rolls back when a file fails midway, and works once the cause is removed', async () => {
    const { pool } = database();
    await dropEverything(pool);
    await execute(pool, sql`create table key_secrets ()`);
    await expect(migrate(pool)).rejects.toThrow('already exists');
    expect(await tableNames()).toEqual(['key_secrets']);
    await execute(pool, sql`drop table key_secrets`);
    expect(await migrate(pool)).toEqual(await migrationNames());
  });

  it('records released files under the checksums they always had', async () => {
    const rows = await queryRows(
      database().pool,
      checksumRow,
      sql`select name, checksum from schema_migrations`,
    );
    const checksums = Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
    expect(checksums).toMatchObject(RELEASED);
  });

  it.each([
    ['stacks', stackRow],
    ['keys', keyRow],
    ['images', imageRow],
    ['files', fileRow],
    ['knowledge_documents', documentRow],
    ['operator_tokens', operatorTokenRow],
    ['audit', auditRow],
    ['people', personRow],
  ] as const)('makes %s with null exactly where its rows may have it', async (table, { shape }) => {
    const rows = await queryRows(
      database().pool,
      columnRow,
      sql`select column_name as name, is_nullable = 'YES' as is_nullable from information_schema.columns
        where table_schema = current_schema and table_name = ${table}`,
    );
    const isNullable = new Map(rows.map((row) => [row.name, row.isNullable]));
    for (const [name, type] of Object.entries(shape)) {
      const column = name === 'references' ? 'reference_count' : snakeCase(name);
      expect(type.safeParse(null).success, column).toBe(isNullable.get(column));
    }
  });

  async function tableNames(): Promise<readonly string[]> {
    const rows = await queryRows(
      database().pool,
      nameRow,
      sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    return rows.map(({ name }) => name);
  }
});

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
