import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Something open to write to. */
export interface OutputDescriptor {
  readonly fd: number;
  /** Whether a write takes only what there is room for, and fails where there is none. A disk can keep its writer waiting for seconds. */
  readonly neverWaits: boolean;
}

/** Opens standard output or standard error for a writer that must never wait for whoever reads. */
export function openStandardOutput(fd: 1 | 2): OutputDescriptor {
  // Node's own streams fail like any other; without a listener that would end the process.
  (fd === 1 ? process.stdout : process.stderr).on('error', ignore);
  const stats = fstatSync(fd);
  if (stats.isFIFO() || isatty(fd)) {
    const own = reopen(fd);
    if (own !== undefined) return { fd: own, neverWaits: true };
  }
  // Node made these non-blocking when it opened the stream above.
  return { fd, neverWaits: stats.isFIFO() || stats.isSocket() };
}

/**
 * The same pipe or terminal once more, non-blocking for this process alone: others that write to it can turn the mode of what
 * is shared, and Node lets a terminal keep its writer waiting. Not every system can do that, or lets us.
 */
function reopen(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

function ignore(): void {}
