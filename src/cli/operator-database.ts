import { setTimeout as sleep } from 'node:timers/promises';
import { connectToRunningServer, DatabaseInUse } from '@stackgate/pglite-host';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';

const REACH_MS = 5_000;
// The first start creates the database, which takes about ten seconds.
const IN_USE_MS = 20_000;
const IN_USE_RETRY_MS = 100;

/** Runs work on the configured database. An embedded database that a server has open is reached through that server. */
export async function withOperatorDatabase<Result>(
  config: Config,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const opened = await openWhenFree(config);
  try {
    return await work(opened.pool);
  } finally {
    await opened.close();
  }
}

interface Opened {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** A starting server or another command locks the database without a socket; retry for a while. */
async function openWhenFree(config: Config): Promise<Opened> {
  const patience = AbortSignal.timeout(IN_USE_MS);
  for (;;) {
    try {
      return await open(config);
    } catch (error) {
      if (!(error instanceof DatabaseInUse) || patience.aborted) throw error;
    }
    await sleep(IN_USE_RETRY_MS);
  }
}

/** A server accepts commands just before its schema exists; the first user migrates. */
async function throughServer(pool: pg.Pool): Promise<Opened> {
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { pool, close: () => pool.end() };
}

async function open(config: Config): Promise<Opened> {
  if (config.database === undefined) {
    const pool = await connectToRunningServer(config.dataDir);
    if (pool !== undefined) return await throughServer(pool);
  }
  return openDatabase({
    url: config.database?.url,
    dataDir: config.dataDir,
    announce: () => {},
    signal: AbortSignal.timeout(REACH_MS),
  });
}
