// Servers under measurement run in processes of their own, so that their CPU time and memory are theirs alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { treeRssMb, treeThreadsUs } from './process-tree.mjs';

/** Starts a script and waits for the line in which it tells its address. Its other output goes nowhere. */
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
      const address = /listening on (http:\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return measured(child, url);
}

/** A running process as something to measure and to stop. */
export function measured(child, url) {
  return {
    url,
    pid: child.pid,
    cpuUs: () => treeThreadsUs(child.pid),
    rssMb: () => treeRssMb(child.pid),
    stop: async () => {
      // A gateway serves on for a while after SIGTERM.
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}
