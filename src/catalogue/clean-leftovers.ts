import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { takeProcessLock } from '@stackgate/process-lock';
import type { CatalogueEntry } from './catalogue-entry.ts';

const WORK_SUFFIX = '.part';
const OLD_MS = 7 * 86_400_000;

/** Removes leftovers of a killed fetch, except resumable partial files. */
export async function removeUnfinishedWork(workFolder: string, entry: CatalogueEntry): Promise<void> {
  const resumable = new Set(entry.files.flatMap(({ name }) => [`${name}.part`, `${name}.part.json`]));
  const names = await readdir(workFolder).catch(() => []);
  for (const name of names) {
    if (!resumable.has(name)) await rm(join(workFolder, name), { recursive: true, force: true });
  }
}

/** Removes the work folder of a fetch if it is empty. */
export async function removeEmptyWork(workFolder: string): Promise<void> {
  const names = await readdir(workFolder).catch(() => []);
  const parts = names.filter((name) => name.endsWith('.part'));
  const sizes = await Promise.all(parts.map(async (name) => (await stat(join(workFolder, name))).size));
  if (sizes.every((size) => size === 0)) await rm(workFolder, { recursive: true, force: true });
}

/** Removes partial downloads that are a week old. */
export async function removeOldLeftovers(
  modelsDir: string,
  entries: readonly CatalogueEntry[],
): Promise<void> {
  for (const { name } of entries) {
    const workFolder = join(modelsDir, `${name}${WORK_SUFFIX}`);
    if (!(await isOld(workFolder))) continue;
    const lock = await takeProcessLock(join(modelsDir, `${name}.lock`));
    if ('heldBy' in lock) continue;
    await rm(workFolder, { recursive: true, force: true });
    lock.release();
  }
}

/** A folder's mtime does not change while a file in it grows, so check its files. */
async function isOld(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return false;
  const times = await Promise.all(
    ['.', ...names].map(
      async (name) => (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    ),
  );
  return Date.now() - Math.max(...times) > OLD_MS;
}
