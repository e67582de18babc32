import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { openSocketFolder, SOCKET_NAME } from './socket-path.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Connects to the process that has the database of a data folder open, with a pool of one connection; undefined if none is running. */
export async function connectToRunningServer(dataDir: string): Promise<pg.Pool | undefined> {
  if (!existsSync(path.join(dataDir, SOCKET_NAME))) return undefined;
  const folder = openSocketFolder(dataDir);
  if (folder === undefined) return undefined;
  if (!(await answers(path.join(folder.folder, SOCKET_NAME)))) {
    folder.dispose();
    return undefined;
  }
  const pool = new pg.Pool({
    host: folder.folder,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The next query reports the lost connection; without a listener the process would exit.
  pool.on('error', () => {});
  const end = pool.end.bind(pool);
  return Object.assign(pool, {
    end: async () => {
      await end();
      folder.dispose();
    },
  });
}

/** Whether a server answers on the socket of a data folder. */
export async function isServed(dataDir: string): Promise<boolean> {
  if (!existsSync(path.join(dataDir, SOCKET_NAME))) return false;
  const folder = openSocketFolder(dataDir);
  if (folder === undefined) return false;
  try {
    return await answers(path.join(folder.folder, SOCKET_NAME));
  } finally {
    folder.dispose();
  }
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
