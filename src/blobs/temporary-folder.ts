import { createHash, randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../lib/is-process-alive.ts';
import { ensureFolder } from './durable-file.ts';

/** Files with an unknown writer are leftovers after this long without a write. */
export const ABANDONED_AFTER_MS = 60 * 60 * 1000;

const NAME = /^([0-9a-f]{8})-([0-9]+)-/;

/** The folder of files being written, on the same file system as the finished ones, so that they can be renamed. */
export class TemporaryFolder {
  readonly #path: string;
  readonly #host = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

  private constructor(path: string) {
    this.#path = path;
  }

  /** Opens the folder and removes leftovers of killed processes. */
  static async open(path: string): Promise<TemporaryFolder> {
    await ensureFolder(path);
    const folder = new TemporaryFolder(path);
    await folder.#sweep();
    return folder;
  }

  /** A unique path; its name identifies the writing process. */
  newPath(): string {
    return join(this.#path, `${this.#host}-${process.pid}-${randomUUID()}`);
  }

  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#path)) {
      const path = join(this.#path, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats !== undefined && this.#isLeftover(name, stats.mtimeMs)) {
        await rm(path, { recursive: true, force: true });
      }
    }
  }

  #isLeftover(name: string, writtenMs: number): boolean {
    if (Date.now() - writtenMs > ABANDONED_AFTER_MS) return true;
    const [, host, pid] = NAME.exec(name) ?? [];
    // Process ids are meaningless across machines or containers that share a volume.
    if (host !== this.#host) return false;
    // In a container every earlier process may have had our process id.
    if (Number(pid) === process.pid) return writtenMs < processStartMs();
    return !isProcessAlive(Number(pid));
  }
}

/** Not performance.timeOrigin, which is the thread's start in a worker thread. */
function processStartMs(): number {
  return Date.now() - process.uptime() * 1000;
}
