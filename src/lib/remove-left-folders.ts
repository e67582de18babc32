import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive } from './is-process-alive.ts';

/** Removes the folders `…-<pid>` of processes that were killed. */
export async function removeLeftFolders(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const left = names.filter((name) => {
    const pid = Number(/-(\d+)$/.exec(name)?.[1]);
    return Number.isInteger(pid) && !isProcessAlive(pid);
  });
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}
