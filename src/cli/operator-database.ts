import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { openDatabase } from '../store/database.ts';
import { connectToRunningServer } from '../store/embedded/running-server.ts';

const REACH_MS = 5_000;

/** Runs work on the configured database. An embedded one that a server has open is reached through that server. */
export async function withOperatorDatabase<Result>(
  config: Config,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const opened = await open(config);
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

async function open(config: Config): Promise<Opened> {
  if (config.database === undefined) {
    const pool = await connectToRunningServer(config.dataDir);
    if (pool !== undefined) return { pool, close: () => pool.end() };
  }
  return openDatabase({
    url: config.database?.url,
    dataDir: config.dataDir,
    announce: () => {},
    signal: AbortSignal.timeout(REACH_MS),
  });
}
