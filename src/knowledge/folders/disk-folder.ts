import { constants, type Dirent, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errorCode, hasErrorCode } from '../../lib/error-code.ts';
import type { WallClock } from '../../lib/wall-clock.ts';
import { MAX_STACK_DOCUMENTS } from '../knowledge-store.ts';
import { FolderEvents } from './folder-events.ts';
import { isPassedOver } from './is-passed-over.ts';
import type { FolderFile, FolderListing, KnowledgeFolder } from './knowledge-folder.ts';

/** How long a file must have been left alone to count as written. */
export const SETTLE_MS = 2_000;
/** Names looked at in all: a folder that holds more is the wrong one. */
const MAX_ENTRIES = 100_000;

interface Walk {
  readonly root: string;
  readonly files: FolderFile[];
  readonly unread: Map<string, string>;
  /** Relative paths of folders still to be read, the next one last. */
  readonly rest: string[];
  readonly folders: string[];
  entries: number;
}

/** A folder on the disk. Links to files inside of it are followed; links to folders, and out of it, are not. */
export class DiskFolder implements KnowledgeFolder {
  readonly #path: string;
  readonly #clock: WallClock;
  readonly #events = new FolderEvents();

  constructor(path: string, clock: WallClock) {
    this.#path = path;
    this.#clock = clock;
  }

  async list(signal: AbortSignal): Promise<FolderListing> {
    const root = await realpath(this.#path);
    const walk: Walk = { root, files: [], unread: new Map(), rest: [''], folders: [], entries: 0 };
    const isFull = () => walk.files.length > MAX_STACK_DOCUMENTS || walk.entries > MAX_ENTRIES;
    for (let folder = walk.rest.pop(); folder !== undefined && !isFull(); folder = walk.rest.pop()) {
      signal.throwIfAborted();
      await this.#readFolder(folder, walk);
    }
    this.#events.follow(walk.folders.map((folder) => join(root, folder)));
    const { files, unread } = walk;
    return { files: files.slice(0, MAX_STACK_DOCUMENTS), unread, isCut: isFull() };
  }

  async read({ path, mark }: FolderFile, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const real = await this.#realFile(await realpath(this.#path), path);
    if (real === undefined) return undefined;
    // A pipe put in its place would block.
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const before = await file.stat();
      if (!before.isFile() || markOf(before) !== mark) return undefined;
      const bytes = await file.readFile({ signal });
      const after = await file.stat();
      return markOf(after) === mark && bytes.byteLength === after.size ? bytes : undefined;
    } finally {
      await file.close();
    }
  }

  watch(changed: () => void): Disposable {
    return this.#events.listen(changed);
  }

  async #readFolder(folder: string, walk: Walk): Promise<void> {
    const entries = await readdir(join(walk.root, folder), { withFileTypes: true }).catch(
      (error: unknown) => {
        if (folder === '') throw error;
        if (!hasErrorCode(error, 'ENOENT')) walk.unread.set(folder, reasonOf(error));
        return [];
      },
    );
    walk.folders.push(folder);
    walk.entries += entries.length;
    const kept = entries.filter(({ name }) => !isPassedOver(name)).sort(byName);
    for (const entry of kept) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() || entry.isSymbolicLink())
        await this.#addFile(path, walk).catch((error: unknown) => walk.unread.set(path, reasonOf(error)));
      if (walk.files.length > MAX_STACK_DOCUMENTS) return;
    }
    const folders = kept.filter((entry) => entry.isDirectory()).reverse();
    walk.rest.push(...folders.map(({ name }) => (folder === '' ? name : `${folder}/${name}`)));
  }

  async #addFile(path: string, { root, files }: Walk): Promise<void> {
    const real = await this.#realFile(root, path);
    if (real === undefined) return;
    const stats = await stat(real).catch(whenGone);
    if (!stats?.isFile()) return;
    // The time of the last change of anything; tools that copy set the time of the content back.
    const isWaiting = Math.abs(this.#clock.nowMs() - stats.ctimeMs) < SETTLE_MS;
    files.push({ path, sizeBytes: stats.size, mark: markOf(stats), isWaiting });
  }

  /** Where the file is, without links; undefined if it is gone or not in the folder. */
  async #realFile(root: string, path: string): Promise<string | undefined> {
    const real = await realpath(join(root, path)).catch(whenGone);
    return real?.startsWith(root.endsWith(sep) ? root : root + sep) ? real : undefined;
  }
}

function markOf({ size, mtimeMs }: Stats): string {
  return `${size}-${mtimeMs}`;
}

function reasonOf(error: unknown): string {
  return errorCode(error) ?? String(error);
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}

/** A link that leads nowhere or in circles counts as no file. */
function whenGone(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) throw error;
}
