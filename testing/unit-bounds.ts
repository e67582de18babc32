// Vitest's set-up of the unit tests. What makes a test slow, or makes it need more than this repository, is refused where it
// begins. Servers and connections on the loopback are allowed.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import workerThreads from 'node:worker_threads';
import { vi } from 'vitest';

const STARTERS = ['spawn', 'fork', 'exec', 'execFile', 'spawnSync', 'execSync', 'execFileSync'] as const;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;
const BOUND = Symbol.for('stackgate unit bounds');

vi.mock('@electric-sql/pglite', () => refuse('opens an embedded database'));

// Files that run in one process share Node's own modules, and each of them comes by here.
if (!(BOUND in globalThis)) {
  Object.defineProperty(globalThis, BOUND, { value: true });
  refuseProcesses();
  refuseWorkers();
  refuseOutside();
  syncBuiltinESMExports();
}

function refuse(what: string): never {
  throw new Error(`a unit test ${what}; name its file *.integration.test.ts (CONTRIBUTING.md)`);
}

function refuseProcesses(): void {
  for (const starter of STARTERS) {
    replace(childProcess, starter, (command: unknown) => refuse(`starts a process: ${command}`));
  }
}

function refuseWorkers(): void {
  const refused = class {
    constructor(file: unknown) {
      refuse(`starts a worker thread: ${file}`);
    }
  };
  replace(workerThreads, 'Worker', refused);
}

function refuseOutside(): void {
  const { connect } = Socket.prototype;
  replace(Socket.prototype, 'connect', function (this: Socket, ...given: Parameters<typeof connect>) {
    const goal = connectionGoal(given);
    if (!LOOPBACK.test(goal)) refuse(`connects to ${goal}`);
    return connect.apply(this, given);
  });
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: true });
}

/** A host, or the path of a socket, in any of the forms that Node takes: options, [options], path, or port and host. */
function connectionGoal(given: readonly unknown[]): string {
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  if (typeof first === 'string' && !/^\d+$/.test(first)) return first;
  const options: unknown = typeof first === 'object' && first !== null ? first : { host: second };
  const { path, host } = options as { readonly path?: unknown; readonly host?: unknown };
  if (typeof path === 'string') return path;
  return typeof host === 'string' ? host : 'localhost';
}
