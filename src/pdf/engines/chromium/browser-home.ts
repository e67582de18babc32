import { createHash, randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../../lib/is-process-alive.ts';
import { BrowserUnavailable } from './browser-errors.ts';
import { NOBODY } from './launch-ladder.ts';

const NAME = /^([0-9a-f]{8})-([0-9]+)-/;
const OTHERS_MAY_WRITE = 0o022;

/** A gateway process's folder for its browsers: fonts, font cache and profiles. Disposing removes it. */
export class BrowserHome {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /**
   * Creates a new home and removes those of killed processes. As root the browser runs as a user who cannot enter the data
   * folder, so its home is in the system's temporary folder.
   */
  static async open({ dataDir, isRoot }: { dataDir: string; isRoot: boolean }): Promise<BrowserHome> {
    const folder = isRoot ? join(tmpdir(), 'stackgate-pdf') : join(dataDir, 'pdf', 'run');
    await ensureOwnFolder(folder, isRoot ? 0o711 : 0o700);
    const host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
    await sweep(folder, host);
    const path = join(folder, `${host}-${process.pid}-${randomUUID()}`);
    await mkdir(path, { mode: isRoot ? 0o711 : 0o700 });
    return new BrowserHome(path);
  }

  /** A folder that one browser can write to, owned by its user. */
  async newProfile(userId: number | undefined): Promise<string> {
    const path = await mkdtemp(join(this.path, 'profile-'));
    if (userId !== undefined) await chown(path, userId, userId);
    return path;
  }

  /** Removes the profile of a browser that never started. */
  async removeProfile(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
  }

  /** A folder the browser can read, or also write to. */
  async folder(
    name: string,
    access: { readonly writable: boolean; readonly isRoot: boolean },
  ): Promise<string> {
    const path = join(this.path, name);
    await mkdir(path, { recursive: true, mode: 0o755 });
    await chmod(path, 0o755);
    if (access.writable && access.isRoot) await chown(path, NOBODY, NOBODY);
    return path;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** In a world-writable folder, another user may already own that name. */
async function ensureOwnFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode });
  const stats = await lstat(path);
  const isOwn =
    stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & OTHERS_MAY_WRITE) === 0;
  if (isOwn) return;
  throw new BrowserUnavailable(`${path} belongs to another user; remove it, or set TMPDIR to another folder`);
}

async function sweep(folder: string, host: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, writtenBy, id] = NAME.exec(name) ?? [];
    // Process ids are meaningless across machines or containers that share a volume.
    if (writtenBy !== host) continue;
    const path = join(folder, name);
    // In a container every earlier process may have had our process id.
    const isInUse = Number(id) === process.pid ? await isFromThisProcess(path) : isProcessAlive(Number(id));
    if (!isInUse) await rm(path, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function isFromThisProcess(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined && stats.birthtimeMs >= Date.now() - process.uptime() * 1000;
}
