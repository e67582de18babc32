// Measured servers run in their own processes, so that CPU time and memory can be attributed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { treeRssMb, treeThreadsUs } from './process-tree.mjs';

/** Starts a script and waits for the line with its address. Its other output is discarded. */
export async function startServer(script, { args = [], nodeArgs = [], env = {}, cwd } = {}) {
  const { PATH, HOME, NODE_PATH = '' } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    cwd,
    env: { PATH, HOME, NODE_PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /listening on (https?:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return measured(child, url);
}

/** A running process with methods to measure and stop it. */
export function measured(child, url) {
  return {
    url,
    pid: child.pid,
    cpuUs: () => treeThreadsUs(child.pid),
    rssMb: () => treeRssMb(child.pid),
    stop: async () => {
      // After SIGTERM a gateway keeps serving for a while.
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
