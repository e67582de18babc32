import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descendantsOf } from '../process-tree.mjs';

const gatewayScript = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const POLL_MS = 100;
// Where other programs use the machine too, a start between restarts of the database has taken more than two minutes.
const READY_BOUND_MS = 300_000;
const PROBE_BOUND_MS = 2_000;

/** A gateway process that is killed, frozen and started again, always with the same folder and address. */
export class Replica {
  name;
  url;
  dataFolder;
  /** When it was killed, and how long each start took until it was ready. */
  kills = [];
  startsMs = [];
  /** Child processes that outlived a kill. */
  orphans = [];
  #folder;
  #port;
  #launch;
  #child;

  /** `launch` has environment and arguments for Node. */
  constructor({ name, folder, port, launch }) {
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.dataFolder = join(folder, 'data');
    this.#folder = folder;
    this.#port = port;
    this.#launch = launch;
  }

  get #isAlive() {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid() {
    return this.#child?.pid;
  }

  get temporaryFolder() {
    return join(this.#folder, 'tmp');
  }

  /** The log of all its processes, one object a line. */
  get log() {
    const lines = readFileSync(join(this.#folder, 'log'), 'utf8').split('\n');
    return lines.filter((line) => line.startsWith('{')).flatMap(parsed);
  }

  async configure(text) {
    await mkdir(this.temporaryFolder, { recursive: true });
    await writeFile(join(this.#folder, 'stackgate.yaml'), text);
  }

  async start() {
    const startedMs = performance.now();
    const { env, nodeArgs } = this.#launch;
    const output = openSync(join(this.#folder, 'log'), 'a');
    this.#child = spawn(process.execPath, [...nodeArgs, gatewayScript, 'serve'], {
      cwd: this.#folder,
      // No tools to fetch models with: what needs one is answered 503.
      env: {
        PATH: '/nowhere',
        STACKGATE_LOG_LEVEL: 'info',
        STACKGATE_PORT: String(this.#port),
        TMPDIR: this.temporaryFolder,
        MALLOC_ARENA_MAX: '2',
        ...env,
      },
      stdio: ['ignore', output, output],
    });
    endWithThisProcess(this.#child);
    await this.untilReady(READY_BOUND_MS);
    this.startsMs.push(performance.now() - startedMs);
  }

  /** Waits until it is ready to serve; throws if it ended or takes too long. */
  async untilReady(boundMs) {
    for (const endsMs = performance.now() + boundMs; ; await sleep(POLL_MS)) {
      if (await this.isReady()) return;
      if (!this.#isAlive) throw new Error(`${this.name} ended by itself: see its log`);
      if (performance.now() > endsMs) throw new Error(`${this.name} was not ready after ${boundMs} ms`);
    }
  }

  async isReady() {
    const signal = AbortSignal.timeout(PROBE_BOUND_MS);
    return await fetch(`${this.url}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async kill() {
    const children = descendantsOf(this.pid).map(named);
    this.kills.push(performance.now());
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
    this.orphans.push(...children);
  }

  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  /** Those of its killed processes' children that still run. */
  get livingOrphans() {
    return this.orphans.filter(({ pid, command }) => command !== '' && named(pid).command === command);
  }

  async stop() {
    if (!this.#isAlive) return;
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGINT');
    await once(this.#child, 'exit');
  }
}

function endWithThisProcess(child) {
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}

function named(pid) {
  try {
    return { pid, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() };
  } catch {
    return { pid, command: '' };
  }
}

// The last line of a killed process may be cut.
function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}
