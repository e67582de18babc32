import { readFileSync, readlinkSync } from 'node:fs';

// What Linux counts CPU time in, on every machine.
const TICK_MS = 10;
/** Of the fields after the name: user time and system time. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** The operating system's number of the thread that asks; undefined where it tells none, as everywhere but on Linux. */
export function ownThread(): number | undefined {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return Number.isInteger(thread) ? thread : undefined;
  } catch {
    return undefined;
  }
}

/** The CPU time that a thread of this process has used, to within ten milliseconds; undefined where nobody tells. */
export function threadCpuMs(thread: number | undefined): number | undefined {
  if (thread === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1');
    // The name, in parentheses, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
  } catch {
    return undefined;
  }
}
