import { chmodSync, mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createClusterOnce, databaseFolder } from './cluster-creation.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { DatabaseSocket } from './database-socket.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';
import { Maintenance } from './maintenance.ts';
import { isServed } from './running-server.ts';
import { SessionMultiplexer } from './session-multiplexer.ts';
import { WireStream } from './wire-stream.ts';
import { WorkerBackend } from './worker-backend.ts';

const STATEMENT_TIMEOUT_MS = 60_000;
const CHECKPOINT_INTERVAL_MS = 60_000;
const VACUUM_INTERVAL_MS = 24 * 60 * 60_000;
/** Ends a transaction that this process forgot to finish; it would block all connections. */
const POOL_IDLE_IN_TRANSACTION_MS = 60_000;
const POOL_WAIT_MS = 30_000;
const POOL_END_TIMEOUT_MS = 10_000;
const LAST_CHECKPOINT_TIMEOUT_MS = 60_000;

/** Options of `openEmbeddedDatabase`. */
export interface EmbeddedDatabaseOptions {
  readonly dataDir: string;
  readonly log: EmbeddedDatabaseLog;
  readonly statementTimeoutMs?: number;
  readonly checkpointIntervalMs?: number;
  readonly vacuumIntervalMs?: number;
  /** How long a client of the socket may keep a transaction open without sending anything. */
  readonly socketIdleInTransactionMs?: number;
  /** Extensions of PGlite by name: the address of the module that exports each under this name. */
  readonly extensions?: Readonly<Record<string, string>>;
  /** For tests: while its first integer is not 0, every write fails as on a full disk. */
  readonly fullDisk?: SharedArrayBuffer;
}

/** An open database inside this process. */
export interface EmbeddedDatabase {
  readonly pool: pg.Pool;
  /** Ends the pool, writes a checkpoint and unlocks the folder. */
  close(): Promise<void>;
}

/** Opens the database in a data folder and creates it at the first start; throws DatabaseInUse if it is already open. */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const { dataDir, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockDataFolder({ dataDir, isServed: () => isServed(dataDir) });
  try {
    await createClusterOnce(dataDir, log);
    chmodSync(databaseFolder(dataDir), 0o700);
    return await openCluster(options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openCluster(options: EmbeddedDatabaseOptions, unlock: () => void): Promise<EmbeddedDatabase> {
  const { log, fullDisk, extensions } = options;
  const backend = new WorkerBackend({
    folder: databaseFolder(options.dataDir),
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    log,
    lost: (error) => multiplexer.cutAll(error),
    ...(fullDisk === undefined ? {} : { fullDisk }),
    ...(extensions === undefined ? {} : { extensions }),
  });
  const multiplexer = new SessionMultiplexer(backend, log);
  await backend.open();
  const pool = makePool(multiplexer, () => backend.greeting === undefined);
  const socket = await listen(options, multiplexer);
  const maintenance = new Maintenance({
    run: (sql, timeoutMs) => multiplexer.run(sql, timeoutMs),
    log,
    checkpointIntervalMs: options.checkpointIntervalMs ?? CHECKPOINT_INTERVAL_MS,
    vacuumIntervalMs: options.vacuumIntervalMs ?? VACUUM_INTERVAL_MS,
  });
  const close = async (): Promise<void> => {
    maintenance.stop();
    await socket?.close();
    await endPool(pool);
    // If the database is away, its log is replayed at the next start instead.
    await multiplexer.run('CHECKPOINT', LAST_CHECKPOINT_TIMEOUT_MS).catch(() => undefined);
    await backend.close();
    unlock();
  };
  let closing: Promise<void> | undefined;
  return {
    pool,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function makePool(multiplexer: SessionMultiplexer, isAway: () => boolean): pg.Pool {
  const pool = new pg.Pool({
    max: 1,
    stream: () => new WireStream({ multiplexer, isAway, idleLimitMs: POOL_IDLE_IN_TRANSACTION_MS }),
    user: 'postgres',
    database: 'postgres',
    // Idle connections cost nothing here, and a new one would have to prepare its statements again.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: POOL_WAIT_MS,
  });
  // The worker-lost event reports lost idle connections.
  pool.on('error', () => {});
  return pool;
}

async function listen(
  { dataDir, log, socketIdleInTransactionMs }: EmbeddedDatabaseOptions,
  multiplexer: SessionMultiplexer,
): Promise<DatabaseSocket | undefined> {
  const options = { dataDir, multiplexer, idleInTransactionMs: socketIdleInTransactionMs };
  try {
    const socket = await DatabaseSocket.listen(options);
    if (socket !== undefined) return socket;
    log({
      type: 'socket-unavailable',
      message: `${dataDir} is too long a path for a socket: no access by psql`,
    });
  } catch (error) {
    log({ type: 'socket-unavailable', message: `the database socket could not be made: ${String(error)}` });
  }
  return undefined;
}

async function endPool(pool: pg.Pool): Promise<void> {
  const abort = new AbortController();
  const timeout = delay(POOL_END_TIMEOUT_MS, undefined, { signal: abort.signal }).catch(() => undefined);
  await Promise.race([pool.end(), timeout]);
  abort.abort();
}
