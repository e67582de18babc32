import { readdir, readFile } from 'node:fs/promises';

/** A process of a tree, and the memory that is its own. */
export interface TreeProcess {
  readonly id: number;
  readonly privateBytes: number;
}

const PAGE_BYTES = 4096;

/** The process and all that descend from it. Where the system has no /proc, nothing. */
export async function processTree(rootId: number): Promise<readonly TreeProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(ids.map(async (id) => [id, await parentOf(id)] as const)));
  const members = ids.filter((id) => descendsFrom(id, rootId, parents));
  return await Promise.all(members.map(async (id) => ({ id, privateBytes: await privateBytes(id) })));
}

/** Whether the process exists and is no zombie. */
export async function isRunning(id: number): Promise<boolean> {
  return (await parentOf(id)) !== undefined;
}

function descendsFrom(id: number, rootId: number, parents: ReadonlyMap<number, number | undefined>): boolean {
  // A process id that was used again while the folder was read could close a circle.
  const seen = new Set<number>();
  for (let at: number | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === rootId) return true;
    seen.add(at);
  }
  return false;
}

async function parentOf(id: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => undefined);
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie is gone: it has nothing left but its exit status.
  return fields === undefined || fields[0] === 'Z' ? undefined : Number(fields[1]);
}

/** Resident and not shared: the browser's processes share a hundred megabytes of code, which would be counted for each. */
async function privateBytes(id: number): Promise<number> {
  const statm = await readFile(`/proc/${id}/statm`, 'latin1').catch(() => '0 0 0');
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}
