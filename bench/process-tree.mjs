// A gateway has several processes; its cost is their sum.
import { readdirSync, readFileSync } from 'node:fs';

const TICK_US = 10_000;

/** User and system time of a process and its descendants, including reaped ones. */
export function treeCpuUs(pid) {
  return sumOf(pid, (process) => {
    const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1].split(' ');
    const ticks = fields.slice(11, 15).map(Number);
    return ticks.reduce((sum, count) => sum + count, 0) * TICK_US;
  });
}

/** CPU time of all live threads in microseconds, instead of the 10 ms resolution of process times. */
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

/** Resident memory of a process and its descendants, in MB. */
export function treeRssMb(pid) {
  return sumOf(pid, (process) => {
    // An exiting process has no memory any more.
    const [, kilobytes = 0] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  });
}

/** All descendants of a process. */
export function descendantsOf(pid) {
  try {
    return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
  } catch {
    // It has exited meanwhile.
    return [];
  }
}

function sumOf(pid, measure) {
  try {
    return measure(pid) + childrenOf(pid).reduce((sum, child) => sum + sumOf(child, measure), 0);
  } catch {
    // It has exited meanwhile.
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
