// A gateway works in several processes; what it costs is the sum.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_US = 10_000;

/** User and system time of a process and all its descendants, also of those that have ended and were waited for. */
export function treeCpuUs(pid) {
  return sumOf(pid, (process) => {
    const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1].split(' ');
    const ticks = fields.slice(11, 15).map(Number);
    return ticks.reduce((sum, count) => sum + count, 0) * TICK_US;
  });
}

/** CPU time of all threads that live, to the microsecond instead of the 10 ms in which Linux counts the time of a process. */
export function treeThreadsUs(pid) {
  return sumOf(pid, (process) => {
    const threads = readdirSync(`/proc/${process}/task`);
    return threads.reduce((sum, thread) => sum + threadUs(`/proc/${process}/task/${thread}`), 0);
  });
}

function threadUs(folder) {
  const [nanoseconds] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1_000;
}

/** Resident memory of a process and all its descendants, in MB. */
export function treeRssMb(pid) {
  return sumOf(pid, (process) => {
    // One that ends at this moment has no memory any more.
    const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  });
}

/** Every process that a process started, and those that these started. */
export function descendantsOf(pid) {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function sumOf(pid, measure) {
  try {
    return measure(pid) + childrenOf(pid).reduce((sum, child) => sum + sumOf(child, measure), 0);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}
