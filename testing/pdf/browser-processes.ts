import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processTree } from '../../src/pdf/engines/chromium/process-tree.ts';
import { sharedDataDir } from './test-engine.ts';

/** Ids of a browser's renderer processes, including an idle spare. */
export function rendererIds(browserId: number): Promise<readonly number[]> {
  return idsOfType(browserId, 'renderer');
}

/** Ids of a browser's zygote processes. */
export function zygoteIds(browserId: number): Promise<readonly number[]> {
  return idsOfType(browserId, 'zygote');
}

async function idsOfType(browserId: number, type: string): Promise<readonly number[]> {
  const tree = processTree(browserId);
  const lines = await Promise.all(
    tree.map(({ id }) => readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => '')),
  );
  return tree.filter((_, index) => lines[index]?.includes(`--type=${type}`)).map(({ id }) => id);
}

// 1.5 s in clock ticks.
const BUSY_TICKS = 150;

/** A renderer that has been busy for long; `undefined` if there is none. */
export async function busyRendererId(browserId: number): Promise<number | undefined> {
  for (const id of await rendererIds(browserId)) {
    const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '');
    const userTicks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[11]);
    if (userTicks > BUSY_TICKS) return id;
  }
  return undefined;
}

/** Remaining browser homes of this process. */
export async function homesOfThisProcess(): Promise<readonly string[]> {
  const folders = [join(tmpdir(), 'stackgate-pdf'), join(sharedDataDir, 'pdf', 'run')];
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flat().filter((name) => name.includes(`-${process.pid}-`));
}
