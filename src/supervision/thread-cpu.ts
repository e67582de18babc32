import { readFileSync, readlinkSync } from 'node:fs';

// Linux's unit of CPU time on every machine.
const TICK_MS = 10;
/** Indexes of utime and stime among the fields after the name. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** The OS id of the calling thread; undefined except on Linux. */
export function ownThread(): number | undefined {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return Number.isInteger(thread) ? thread : undefined;
  } catch {
    return undefined;
  }
}

/** CPU time of a thread, of this process unless another is named, with a resolution of 10 ms; undefined where it is not available. */
export function threadCpuMs(
  thread: number | undefined,
  processId: number | 'self' = 'self',
): number | undefined {
  if (thread === undefined) return undefined;
  try {
    const stat = readFileSync(`/proc/${processId}/task/${thread}/stat`, 'latin1');
    // The name, in parentheses, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
  } catch {
    return undefined;
  }
}
