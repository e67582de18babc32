// Servers under measurement run in processes of their own, so that their CPU time and memory are theirs alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Linux counts CPU time in ticks of 1/100 s.
const TICK_US = 10_000;

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
    cpuUs: () => cpuUs(child.pid),
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** User and system time of a process, all of its threads together. */
function cpuUs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}
