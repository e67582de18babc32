import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobKey, isBlobKey } from './blob-key.ts';
import type { BlobEntry } from './blob-store.ts';
import { whenMissing } from './when-missing.ts';

// Folders carry a mark that no key contains, so that `a` and `a/b` can both be blobs, like in S3.
const FOLDER_MARK = '+';
const STAT_BATCH = 64;

/** The file of a key: every segment but the last is a marked folder. */
export function pathOfKey(root: string, key: BlobKey): string {
  return join(root, key.replaceAll('/', `${FOLDER_MARK}/`));
}

/** The folders of a key's file, outermost first. */
export function foldersOfKey(root: string, key: BlobKey): readonly string[] {
  const segments = key.split('/').slice(0, -1);
  return segments.map((_, depth) =>
    join(root, ...segments.slice(0, depth + 1).map((segment) => segment + FOLDER_MARK)),
  );
}

/** The blobs below the folder in key order; holds the names of one folder per level. */
export async function* listBlobFiles(
  root: string,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<BlobEntry> {
  yield* listFolder({ path: root, keyStart: '' }, prefix, signal);
}

interface Folder {
  readonly path: string;
  readonly keyStart: string;
}

interface Item {
  /** A key, or a folder's key prefix including the `/`, which makes the order right. */
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}

async function* listFolder(folder: Folder, prefix: string, signal: AbortSignal): AsyncGenerator<BlobEntry> {
  const items = await readItems(folder, prefix, signal);
  let files: Item[] = [];
  for (const item of items) {
    if (!item.isFolder) files.push(item);
    if (item.isFolder || files.length === STAT_BATCH) {
      yield* statFiles(files, signal);
      files = [];
    }
    if (item.isFolder) yield* listFolder({ path: item.path, keyStart: item.name }, prefix, signal);
  }
  yield* statFiles(files, signal);
}

async function readItems(folder: Folder, prefix: string, signal: AbortSignal): Promise<readonly Item[]> {
  signal.throwIfAborted();
  const entries = await readdir(folder.path, { withFileTypes: true }).catch(whenMissing(undefined));
  const items = (entries ?? []).flatMap((entry) => toItem(folder, entry));
  const wanted = items.filter(
    ({ name, isFolder }) => name.startsWith(prefix) || (isFolder && prefix.startsWith(name)),
  );
  return wanted.sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Symbolic links and other foreign entries are not blobs. */
function toItem(folder: Folder, entry: Dirent): readonly Item[] {
  const path = join(folder.path, entry.name);
  if (entry.isFile()) return [{ name: folder.keyStart + entry.name, path, isFolder: false }];
  if (!entry.isDirectory() || !entry.name.endsWith(FOLDER_MARK)) return [];
  const name = `${folder.keyStart}${entry.name.slice(0, -FOLDER_MARK.length)}/`;
  return [{ name, path, isFolder: true }];
}

async function* statFiles(files: readonly Item[], signal: AbortSignal): AsyncGenerator<BlobEntry> {
  const found = await Promise.all(files.map(statFile));
  for (const entry of found) {
    signal.throwIfAborted();
    if (entry !== undefined) yield entry;
  }
}

/** Undefined if the file vanished since its folder was read. */
async function statFile({ name: key, path }: Item): Promise<BlobEntry | undefined> {
  const stats = await lstat(path).catch(whenMissing(undefined));
  if (stats === undefined || !stats.isFile() || !isBlobKey(key)) return undefined;
  return { key, sizeBytes: stats.size, modifiedAt: stats.mtime };
}
