import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

/** Starts a script that answers messages, in a process of its own: what it does must not hold up who measures. */
export function startHelper(script, { niceness = 0 } = {}) {
  const child = fork(script);
  setPriority(child.pid, niceness);
  return {
    /** The next message of the script, after telling it something where there is something to tell. */
    async ask(message) {
      const ended = new AbortController();
      try {
        const answer = once(child, 'message', { signal: ended.signal });
        const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
          throw new Error(`${script} ended with ${code}`);
        });
        // The one that does not come is given up at the end.
        for (const other of [answer, exit]) other.catch(() => {});
        if (message !== undefined) child.send(message);
        const [told] = await Promise.race([answer, exit]);
        return told;
      } finally {
        ended.abort();
      }
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
