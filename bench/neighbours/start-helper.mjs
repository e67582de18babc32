import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

/** Starts a script in its own process, so that it does not slow down the measurement; they exchange messages. */
export function startHelper(script, { niceness = 0 } = {}) {
  const child = fork(script);
  setPriority(child.pid, niceness);
  return {
    /** Sends a message, if there is one, and waits for the next message of the script. */
    async ask(message) {
      const ended = new AbortController();
      try {
        const answer = once(child, 'message', { signal: ended.signal });
        const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
          throw new Error(`${script} ended with ${code}`);
        });
        // The other promise is never awaited.
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
