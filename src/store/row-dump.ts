import type pg from 'pg';
import { z } from 'zod';
import { execute, queryRows } from './query.ts';
import { identifier, joined, sql } from './sql.ts';
import { tablesInOrder } from './table-order.ts';
import { takeClient } from './take-client.ts';
import { inTransaction } from './transaction.ts';

/** Rows of one table as JSON texts. They stay texts, because numbers beyond 2^53 would not survive parsing. */
export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

const NEXT_BATCH = sql`fetch 200 from dump`;
const dumpedRow = z.object({ row: z.string() });
const identityRow = z.object({ table: z.string(), column: z.string() });

/** Every row of every table, from one snapshot. */
export async function* dumpRows(pool: pg.Pool): AsyncGenerator<RowBatch> {
  const client = await takeClient(pool);
  try {
    await execute(client, sql`begin isolation level repeatable read read only`);
    for (const table of await tablesInOrder(client)) yield* dumpTable(client, table);
  } finally {
    await execute(client, sql`rollback`).catch(() => {});
    client.release();
  }
}

async function* dumpTable(client: pg.PoolClient, table: string): AsyncGenerator<RowBatch> {
  await execute(
    client,
    sql`declare dump no scroll cursor for select to_jsonb(t)::text as row from ${identifier(table)} t`,
  );
  for (;;) {
    const rows = await queryRows(client, dumpedRow, NEXT_BATCH);
    if (rows.length === 0) break;
    yield { table, rows: rows.map(({ row }) => row) };
  }
  await execute(client, sql`close dump`);
}

/** The database has rows, and the operator did not ask to replace them. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';
}

/** Throws DatabaseNotEmpty when any table has a row. */
export function requireEmptyTables(pool: pg.Pool): Promise<void> {
  return inTransaction(pool, async (client) => requireEmpty(client, await tablesInOrder(client)));
}

export interface LoadOptions {
  readonly replace: boolean;
  /** Runs in the same transaction, when all rows are there. */
  readonly finish: (client: pg.PoolClient, rows: number) => Promise<void>;
}

/** Fills the tables from a dump in one transaction. They must be empty; with `replace` they are emptied first. */
export function loadRows(
  pool: pg.Pool,
  batches: AsyncIterable<RowBatch>,
  { replace, finish }: LoadOptions,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const tables = await tablesInOrder(client);
    // Cascading: sessions and links refer to rows that are replaced, and end with them.
    if (replace) await execute(client, sql`truncate ${joined(tables.map(identifier), ', ')} cascade`);
    else await requireEmpty(client, tables);
    let count = 0;
    for await (const batch of batches) {
      if (!tables.includes(batch.table)) throw new Error(`there is no table "${batch.table}"`);
      await loadBatch(client, batch);
      count += batch.rows.length;
    }
    await restartIdentities(client);
    await finish(client, count);
    return count;
  });
}

async function requireEmpty(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    if ((await execute(client, sql`select from ${identifier(table)} limit 1`)) > 0)
      throw new DatabaseNotEmpty(`table "${table}" has rows`);
  }
}

async function loadBatch(client: pg.PoolClient, { table, rows }: RowBatch): Promise<void> {
  const name = identifier(table);
  await execute(
    client,
    sql`insert into ${name} overriding system value
      select row.* from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) as element,
        jsonb_populate_record(null::${name}, element) as row`,
  );
}

/** Generated numbers continue after the highest that was loaded. */
async function restartIdentities(client: pg.PoolClient): Promise<void> {
  const identities = await queryRows(
    client,
    identityRow,
    sql`select table_name as table, column_name as column from information_schema.columns
      where table_schema = current_schema and is_identity = 'YES'`,
  );
  for (const { table, column } of identities) {
    await execute(
      client,
      sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}),
          greatest(coalesce(max(${identifier(column)}), 0), 1))
        from ${identifier(table)}`,
    );
  }
}
