import { randomBytes } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a temporary file, syncs, renames it, and syncs the folder. */
export async function writeFileAtomically(path: string, content: string, mode: number): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeSynced(aside, content, mode);
    await rename(aside, path);
  } catch (error) {
    await unlink(aside).catch(() => {});
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeSynced(path: string, content: string, mode: number): Promise<void> {
  await using file = await open(path, 'wx', mode);
  await file.writeFile(content);
  await file.sync();
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
