import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

const checkEveryMs = 1_000;

/**
 * Ties this process to its parent. When the parent dies the pipe closes and this process exits; if its main thread is stuck in
 * native code, a small thread sees the new parent id and kills it. Not covered: a process that is stopped (SIGSTOP), or whose
 * threads all hang in the kernel.
 */
export function endWithParent(pipe: Socket): void {
  const parentId = process.ppid;
  pipe.on('error', () => process.exit(0));
  pipe.on('close', () => process.exit(0));
  // Ctrl-C and service managers signal the whole group; the parent decides when its children end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  watchParent(parentId);
}

function watchParent(parentId: number): void {
  const watch = `setInterval(() => {
    if (process.ppid !== ${parentId}) process.kill(process.pid, 'SIGKILL');
  }, ${checkEveryMs});`;
  const limits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 };
  new Worker(watch, { eval: true, env: {}, resourceLimits: limits }).unref();
}
