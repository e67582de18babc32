// Everything that must return to its initial value: processes, open files, memory, temporary files, permits, waiting work.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { descendantsOf, treeRssMb } from '../process-tree.mjs';

// A running browser writes to its profile at will; only profiles of ended ones must be gone.
const PROFILE = /(?:^|\/)profile-\w+$|\/profile-\w+\//u;

/** The state of a gateway at one moment. */
export async function takeSample({ gateway, dataFolder, temporaryFolders }) {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  const temporaryFiles = await Promise.all(temporaryFolders.map(countFiles));
  return {
    rssMb: Math.round(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1024),
    treeRssMb: Math.round(treeRssMb(gateway.pid)),
    heapMb: Math.round(metric(metrics, 'nodejs_heap_size_used_bytes') / 2 ** 20),
    openFiles: openFiles(gateway.pid, join(dataFolder, 'database')),
    threads: Number(/Threads:\s+(\d+)/u.exec(status)?.[1]),
    children: descendantsOf(gateway.pid).length,
    temporaryFiles: temporaryFiles.reduce((sum, count) => sum + count, 0),
    // The request for the metrics is one of them.
    inFlight: metric(metrics, 'stackgate_http_requests_in_flight') - 1,
    waiting: sumOf(metrics, 'stackgate_queue_depth'),
    coreWaitMs: coreWaitMs(gateway.pid),
    loopLagMaxMs: Math.round(metric(metrics, 'nodejs_eventloop_lag_max_seconds') * 1000),
    loopLagP99Ms: Math.round(metric(metrics, 'nodejs_eventloop_lag_p99_seconds') * 1000),
  };
}

/** How long the main thread was runnable without a core, since its start. */
function coreWaitMs(pid) {
  const [, nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Math.round(Number(nanoseconds) / 1e6);
}

/** Without the files of the embedded database, which opens one per table and index. */
function openFiles(pid, databaseFolder) {
  const isOther = (name) => {
    try {
      return !readlinkSync(`/proc/${pid}/fd/${name}`).startsWith(databaseFolder);
    } catch {
      // Closed meanwhile.
      return false;
    }
  };
  return readdirSync(`/proc/${pid}/fd`).filter(isOther).length;
}

/** Megabytes per minute, by least squares over the later two thirds of the samples. */
export function slopePerMinute(samples) {
  const later = samples.slice(Math.floor(samples.length / 3));
  const meanTime = mean(later.map(({ minute }) => minute));
  const meanRss = mean(later.map(({ rssMb }) => rssMb));
  const spread = later.reduce((sum, { minute }) => sum + (minute - meanTime) ** 2, 0);
  const together = later.reduce((sum, { minute, rssMb }) => sum + (minute - meanTime) * (rssMb - meanRss), 0);
  return spread === 0 ? 0 : together / spread;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function metric(text, name) {
  return Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1] ?? Number.NaN);
}

function sumOf(text, name) {
  return [...text.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'gmu'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );
}

async function countFiles(folder) {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return (
      entries.filter((entry) => entry.isFile() && !PROFILE.test(entry.parentPath)).length +
      entries.filter((entry) => entry.isDirectory() && PROFILE.test(entry.name)).length
    );
  } catch {
    return 0;
  }
}
