import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeCpuUs, treeRssMb } from '../process-tree.mjs';
import { ask } from './ask.mjs';

const SAMPLE_EVERY_MS = 100;
const HEALTH_BOUND_MS = 30_000;

/**
 * Watches a gateway: peak memory, cores used by all its processes, the longest `/healthz` counted from when it was due, and the
 * longest stall of this process, which a machine without a free core adds to every latency.
 */
export function watch({ url, pid }) {
  const peak = { treeMb: 0, mainMb: 0, healthMs: 0 };
  // A new connection each time, like health checks.
  const agent = new Agent({ keepAlive: false });
  const checks = new Set();
  const ownDelay = monitorEventLoopDelay({ resolution: 10 });
  ownDelay.enable();
  let isOver = false;
  const beganMs = performance.now();
  const cpuBeforeUs = treeCpuUs(pid);
  const check = async (dueMs) => {
    const { status } = await ask(url, { path: '/healthz', method: 'GET', agent, timeoutMs: HEALTH_BOUND_MS });
    const tookMs = status === 200 ? performance.now() - dueMs : HEALTH_BOUND_MS;
    peak.healthMs = Math.max(peak.healthMs, tookMs);
  };
  const looking = (async () => {
    for (let dueMs = performance.now(); !isOver; dueMs += SAMPLE_EVERY_MS) {
      await sleep(Math.max(0, dueMs - performance.now()));
      peak.treeMb = Math.max(peak.treeMb, treeRssMb(pid));
      peak.mainMb = Math.max(peak.mainMb, mainRssMb(pid));
      const checking = check(dueMs).finally(() => checks.delete(checking));
      checks.add(checking);
    }
  })();
  return async () => {
    const cores = (treeCpuUs(pid) - cpuBeforeUs) / 1000 / (performance.now() - beganMs);
    isOver = true;
    await looking;
    await Promise.all(checks);
    ownDelay.disable();
    return { ...peak, cores, ownStallMs: ownDelay.max / 1e6 };
  };
}

function mainRssMb(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    // It has exited, which shows in every request.
    return 0;
  }
}
