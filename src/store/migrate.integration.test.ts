import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { afterEach, expect, it } from 'vitest';
import { describeOnDatabases, dropEverything } from '../../testing/describe-on-databases.ts';
import { postgresPool } from './database.ts';
import { MigrationMismatch, migrate, migrationNames } from './migrate.ts';
import {
  accounts,
  erasedImages,
  imageErasures,
  imagePlaces,
  imageSubmissions,
  imageSweeps,
  images,
  keySecrets,
  keys,
  knowledgeChunks,
  knowledgeDocuments,
  knowledgeGenerations,
  knowledgeLeftovers,
  limitShares,
  stacks,
  usageDays,
  usageWriters,
} from './schema.ts';

const PROCESSES = 6;
// In order of their names.
const TABLES = [
  accounts,
  erasedImages,
  imageErasures,
  imagePlaces,
  imageSubmissions,
  imageSweeps,
  images,
  keySecrets,
  keys,
  knowledgeChunks,
  knowledgeDocuments,
  knowledgeGenerations,
  knowledgeLeftovers,
  limitShares,
  stacks,
  usageDays,
  usageWriters,
];

describeOnDatabases('migrate', (database) => {
  afterEach(async () => {
    await dropEverything(database().pool);
    await migrate(database().pool);
  });

  it('makes every table from nothing, and nothing the second time', async () => {
    const { pool } = database();
    await dropEverything(pool);
    expect(await migrate(pool)).toEqual(await migrationNames());
    const names = TABLES.map((table) => getTableConfig(table).name);
    expect(await tableNames()).toEqual([...names, 'schema_migrations'].sort());
    expect(await migrate(pool)).toEqual([]);
  });

  it('is done once when several start together', async () => {
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
    await pool.query(`insert into schema_migrations (name, checksum) values ('9999-later.sql', 'x')`);
    await expect(migrate(pool)).rejects.toThrow(MigrationMismatch);
    await expect(migrate(pool)).rejects.toThrow(
      'the database has migration 9999-later.sql, which this version does not know',
    );
  });

  it('refuses a database whose migration was another one', async () => {
    const { pool } = database();
    await pool.query(`update schema_migrations set checksum = 'x'`);
    await expect(migrate(pool)).rejects.toThrow(
      'migration 0001-accounts-stacks-keys.sql differs from the one the database was made with',
    );
  });

  it('leaves nothing behind when a file fails midway, and works once the cause is gone', async () => {
    const { pool } = database();
    await dropEverything(pool);
    await pool.query('create table key_secrets ()');
    await expect(migrate(pool)).rejects.toThrow('already exists');
    expect(await tableNames()).toEqual(['key_secrets']);
    await pool.query('drop table key_secrets');
    expect(await migrate(pool)).toEqual(await migrationNames());
  });

  it('makes the tables that the queries are written for', async () => {
    const { rows } = await database().pool.query<ColumnFacts>(
      `select relname as table, attname as name, format_type(atttypid, atttypmod) as type,
         attnotnull as "isRequired", atthasdef or attidentity <> '' as "hasDefault"
       from pg_attribute join pg_class on pg_class.oid = attrelid
       where relkind = 'r' and relnamespace = current_schema::regnamespace and attnum > 0 and not attisdropped
         and relname <> 'schema_migrations' order by relname, attname`,
    );
    expect(rows).toEqual(TABLES.flatMap(columnFacts));
  });

  it('makes the primary keys that the queries are written for', async () => {
    const { rows } = await database().pool.query<{ table: string; definition: string }>(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
       where contype = 'p' and connamespace = current_schema::regnamespace
         and conrelid <> 'schema_migrations'::regclass order by 1`,
    );
    expect(rows).toEqual(
      TABLES.map((table) => ({
        table: getTableConfig(table).name,
        definition: `PRIMARY KEY (${primaryKeyOf(table).join(', ')})`,
      })),
    );
  });

  async function tableNames(): Promise<readonly string[]> {
    const { rows } = await database().pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    return rows.map(({ name }) => name);
  }
});

interface ColumnFacts {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

function columnFacts(table: PgTable): readonly ColumnFacts[] {
  const { name, columns } = getTableConfig(table);
  const required = primaryKeyOf(table);
  return columns
    .map((column) => ({
      table: name,
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull || required.includes(column.name),
      hasDefault: column.hasDefault,
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function primaryKeyOf(table: PgTable): readonly string[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter((column) => column.primary).map((column) => column.name);
  return [...own, ...primaryKeys.flatMap((key) => key.columns.map((column) => column.name))];
}
