import { readdirSync, readFileSync } from 'node:fs';

/** A process and its private memory. */
export interface TreeProcess {
  readonly id: number;
  readonly privateBytes: number;
}

const PAGE_BYTES = 4096;

/** A process and its descendants; empty on systems without /proc. */
export function processTree(rootId: number): readonly TreeProcess[] {
  const ids = processIds();
  const parents = new Map(ids.map((id) => [id, parentOf(id)] as const));
  const members = ids.filter((id) => descendsFrom(id, rootId, parents));
  return members.map((id) => ({ id, privateBytes: privateBytes(id) }));
}

/** Whether the process exists and is not a zombie. */
export function isRunning(id: number): boolean {
  return parentOf(id) !== undefined;
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function descendsFrom(id: number, rootId: number, parents: ReadonlyMap<number, number | undefined>): boolean {
  // A process id reused during the scan could create a cycle.
  const seen = new Set<number>();
  for (let at: number | undefined = id; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === rootId) return true;
    seen.add(at);
  }
  return false;
}

function parentOf(id: number): number | undefined {
  const stat = readProcFile(`/proc/${id}/stat`);
  // The name in parentheses may itself contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has exited.
  return fields === undefined || fields[0] === 'Z' ? undefined : Number(fields[1]);
}

/** Resident minus shared: the browser's processes share a hundred megabytes of code, which would be counted for each. */
function privateBytes(id: number): number {
  const [, resident = 0, shared = 0] = (readProcFile(`/proc/${id}/statm`) ?? '').split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

/** Synchronous: these files are in memory, and asynchronous reads of hundreds cost ten times as much. */
function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
