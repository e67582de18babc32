import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedDatabase } from '@stackgate/pglite-host';
import pg from 'pg';
import type { Secret } from '../config/secret.ts';
import { openDataFolder } from './data-folder.ts';
import { DatabaseUnreachable, isDatabaseAway } from './database-errors.ts';
import { migrate } from './migrate.ts';
import { execute } from './query.ts';
import { sql } from './sql.ts';

/** An open database at this version's schema. */
export interface Database {
  readonly pool: pg.Pool;
  readonly kind: 'embedded' | 'postgres';
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Absent: the embedded database in `dataDir`. */
  readonly url: Secret | undefined;
  readonly dataDir: string;
  /** Tells the operator why the start takes long. */
  readonly announce: (message: string) => void;
  readonly signal: AbortSignal;
}

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const RETRY_MS = 1_000;

/** Opens the configured database and brings it to this version's schema. Waits for a PostgreSQL that does not answer yet. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database =
    options.url === undefined ? await openEmbedded(options) : await openPostgres(options.url, options);
  try {
    await migrate(database.pool);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openEmbedded({ dataDir, announce }: DatabaseOptions): Promise<Database> {
  await openDataFolder(dataDir);
  const embedded = await openEmbeddedDatabase({ dataDir, log: (event) => announce(event.message) });
  return { pool: embedded.pool, kind: 'embedded', close: () => embedded.close() };
}

async function openPostgres(url: Secret, options: DatabaseOptions): Promise<Database> {
  const pool = postgresPool(url);
  try {
    await waitUntilReachable(pool, options);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, kind: 'postgres', close: () => pool.end() };
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

async function waitUntilReachable(pool: pg.Pool, { announce, signal }: DatabaseOptions): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await execute(pool, sql`select 1`);
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      if (attempt % 10 === 0) announce(`waiting for the database: ${reasonOf(error)}`);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {
        throw new DatabaseUnreachable(`the database cannot be reached: ${reasonOf(error)}`);
      });
    }
  }
}

// The message of a connection error names host and port, which the operator needs, and no password.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
