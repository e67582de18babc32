import { closeSync, openSync } from 'node:fs';
import path from 'node:path';

/** The name psql looks for when given the folder as host. */
export const SOCKET_NAME = '.s.PGSQL.5432';
/** The lowest limit of all platforms (macOS: 104 with the terminator). */
const MAX_SOCKET_PATH_BYTES = 103;

/** A path of the socket's folder that fits the kernel's limit on socket paths. */
export interface SocketFolder {
  readonly folder: string;
  readonly dispose: () => void;
}

/** Finds a short enough path for a data folder; undefined if there is none. */
export function openSocketFolder(dataDir: string): SocketFolder | undefined {
  const absolute = path.resolve(dataDir);
  if (fits(absolute)) return { folder: absolute, dispose: () => {} };
  if (process.platform !== 'linux') return undefined;
  const descriptor = openSync(absolute, 'r');
  return { folder: `/proc/self/fd/${descriptor}`, dispose: () => closeSync(descriptor) };
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
}
