import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import pg from 'pg';
import type { Secret } from '../config/secret.ts';
import { openDataFolder } from './data-folder.ts';
import { migrate } from './migrate.ts';
import { type ReachableOptions, whenReachable } from './when-reachable.ts';

/** An open database at this version's schema. */
export interface Database {
  readonly pool: pg.Pool;
  readonly kind: 'embedded' | 'postgres';
  close(): Promise<void>;
}

export interface DatabaseOptions extends ReachableOptions {
  /** Absent: the embedded database in `dataDir`. */
  readonly url: Secret | undefined;
  readonly dataDir: string;
}

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/** Opens the configured database and brings it to this version's schema. Waits for a PostgreSQL that does not answer, or goes away meanwhile. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.url === undefined ? await openEmbedded(options) : await openPostgres(options.url, options);
}

async function openEmbedded({ dataDir, announce }: DatabaseOptions): Promise<Database> {
  await openDataFolder(dataDir);
  const embedded = await openEmbeddedDatabase({ dataDir, log: (event) => announce(event.message) });
  const database: Database = { pool: embedded.pool, kind: 'embedded', close: () => embedded.close() };
  return await migrated(database, () => migrate(database.pool));
}

async function openPostgres(url: Secret, options: DatabaseOptions): Promise<Database> {
  const pool = postgresPool(url);
  const database: Database = { pool, kind: 'postgres', close: () => pool.end() };
  return await migrated(database, () => whenReachable(() => migrate(pool), options));
}

async function migrated(database: Database, work: () => Promise<unknown>): Promise<Database> {
  try {
    await work();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A pool on a PostgreSQL server, without a connection yet. */
export function postgresPool(url: Secret): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'stackgate',
  });
  // An idle connection that breaks is replaced at the next query, which reports it if it still fails.
  pool.on('error', () => {});
  return pool;
}
