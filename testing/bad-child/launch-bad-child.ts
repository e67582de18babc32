import { fileURLToPath } from 'node:url';
import type { ChildPortListener, LaunchChild } from '../../src/supervision/child-port.ts';
import { forkedChild } from '../../src/supervision/forked-child.ts';
import { workerChild } from '../../src/supervision/worker-child.ts';

/** How the bad child starts and ends. */
export type BadStart =
  | 'good'
  | 'crash'
  | 'exit'
  | 'hang'
  | 'garbage'
  | 'never-ready'
  | 'crash-at-close'
  | 'hang-at-close';

const entry = fileURLToPath(new URL('./bad-child.mjs', import.meta.url));

/** The bad child as a process. */
export function badFork(start: BadStart): LaunchChild {
  return forkedChild({ entry, args: [start], env: { GREETING: 'hello' } });
}

/** The bad child as a thread. */
export function badWorker(start: BadStart): LaunchChild {
  return workerChild({ entry, data: start, env: { GREETING: 'hello' } });
}

/** Counts live children, and lets each launch differ. */
export class Nursery {
  launched = 0;
  alive = 0;
  mostAlive = 0;

  launcher(choose: (number: number) => LaunchChild): LaunchChild {
    return (listener) => {
      this.launched += 1;
      this.alive += 1;
      this.mostAlive = Math.max(this.mostAlive, this.alive);
      return choose(this.launched)(this.#counting(listener));
    };
  }

  #counting(listener: ChildPortListener): ChildPortListener {
    return {
      message: (message) => listener.message(message),
      line: (line) => listener.line(line),
      ended: (end) => {
        this.alive -= 1;
        listener.ended(end);
      },
    };
  }
}
