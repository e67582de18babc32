import pg from 'pg';
import { tablesInOrder } from './table-order.ts';
import { takeClient } from './take-client.ts';
import { inTransaction } from './transaction.ts';

/** Rows of one table as JSON texts. They stay texts, because numbers beyond 2^53 would not survive parsing. */
export interface RowBatch {
  readonly table: string;
  readonly rows: readonly string[];
}

const BATCH_ROWS = 200;

/** Every row of every table, all from one moment in time. */
export async function* dumpRows(pool: pg.Pool): AsyncGenerator<RowBatch> {
  const client = await takeClient(pool);
  try {
    await client.query('begin isolation level repeatable read read only');
    for (const table of await tablesInOrder(client)) yield* dumpTable(client, table);
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

async function* dumpTable(client: pg.PoolClient, table: string): AsyncGenerator<RowBatch> {
  await client.query(
    `declare dump no scroll cursor for select to_jsonb(t)::text as row from ${pg.escapeIdentifier(table)} t`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${BATCH_ROWS} from dump`);
    if (rows.length === 0) break;
    yield { table, rows: rows.map(({ row }) => row) };
  }
  await client.query('close dump');
}

/** The database holds rows, and was not said to be replaced. */
export class DatabaseNotEmpty extends Error {
  override readonly name = 'DatabaseNotEmpty';
}

/** Throws DatabaseNotEmpty when any table has a row. */
export function requireEmptyTables(pool: pg.Pool): Promise<void> {
  return inTransaction(pool, async (client) => requireEmpty(client, await tablesInOrder(client)));
}

/** Fills the tables from a dump in one transaction. They must be empty, or are emptied first when `replace` says so. */
export function loadRows(
  pool: pg.Pool,
  batches: AsyncIterable<RowBatch>,
  { replace }: { readonly replace: boolean },
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const tables = await tablesInOrder(client);
    if (replace)
      await client.query(`truncate ${tables.map((table) => pg.escapeIdentifier(table)).join(', ')}`);
    else await requireEmpty(client, tables);
    let count = 0;
    for await (const batch of batches) {
      if (!tables.includes(batch.table)) throw new Error(`there is no table "${batch.table}"`);
      await loadBatch(client, batch);
      count += batch.rows.length;
    }
    await restartIdentities(client);
    return count;
  });
}

async function requireEmpty(client: pg.PoolClient, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await client.query(`select 1 from ${pg.escapeIdentifier(table)} limit 1`);
    if (rows.length > 0) throw new DatabaseNotEmpty(`table "${table}" has rows`);
  }
}

async function loadBatch(client: pg.PoolClient, { table, rows }: RowBatch): Promise<void> {
  const name = pg.escapeIdentifier(table);
  await client.query(
    `insert into ${name} overriding system value
     select row.* from jsonb_array_elements($1::jsonb) as element, jsonb_populate_record(null::${name}, element) as row`,
    [`[${rows.join(',')}]`],
  );
}

/** Generated numbers go on after the highest that was loaded. */
async function restartIdentities(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = current_schema and is_identity = 'YES'`,
  );
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(coalesce(max(${pg.escapeIdentifier(column)}), 0), 1))
       from ${pg.escapeIdentifier(table)}`,
      [pg.escapeIdentifier(table), column],
    );
  }
}
