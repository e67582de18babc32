import { setPriority } from 'node:os';

/** About a tenth of what a thread of usual priority gets, where both want the same core. */
const LOW_NICENESS = 10;

/** Lets other threads come before this one of the same process; false where threads have no priority of their own, as everywhere but on Linux. */
export function lowerThreadPriority(thread: number | undefined): boolean {
  // Only Linux tells the number of a thread; elsewhere it would be that of a process.
  if (thread === undefined) return false;
  try {
    setPriority(thread, LOW_NICENESS);
    return true;
  } catch {
    return false;
  }
}
