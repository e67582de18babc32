import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

/** An open file descriptor. */
export interface OutputDescriptor {
  readonly fd: number;
  /** Whether writes are non-blocking: partial, or failing if there is no room. A disk may block its writer for seconds. */
  readonly neverWaits: boolean;
}

/** Opens stdout or stderr for a writer that must never block on its reader. */
export function openStandardOutput(fd: 1 | 2): OutputDescriptor {
  // Without a listener, an error of Node's stream would crash the process.
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
 * Opens the same pipe or terminal again, non-blocking for this process alone: other processes can change the mode of a shared
 * descriptor, and Node blocks on terminals. Not every system allows it.
 */
function reopen(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

function ignore(): void {}
