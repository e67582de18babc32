import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Clock } from '../../../lib/clock.ts';
import { type ChildPriority, lowerProcess } from '../../../supervision/child-priority.ts';
import { LastLines, readLines } from '../../../supervision/output-lines.ts';
import { BrowserGone, BrowserSilent, BrowserUnavailable } from './browser-errors.ts';
import { DevToolsPipe } from './devtools-pipe.ts';
import { browserArguments, type Rung } from './launch-ladder.ts';
import { isRunning, processTree } from './process-tree.ts';

export interface BrowserProcessOptions {
  readonly rung: Rung;
  readonly profile: string;
  /** The browser's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly priority: ChildPriority;
  readonly clock: Clock;
}

const START_TIMEOUT_MS = 20_000;
const DEATH_CHECK_MS = 20;
const MAX_DEATH_CHECKS = 500;
const SHOWN_LINES = 3;

/** One running browser: its process group and pipe. It exits by itself if the gateway dies, because the pipe closes. */
export class BrowserProcess {
  readonly id: number;
  readonly pipe: DevToolsPipe;
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>;
  #hasExited = false;

  private constructor(child: ChildProcess, id: number, pipe: DevToolsPipe) {
    this.id = id;
    this.pipe = pipe;
    // A browser that broke the protocol cannot be controlled any more.
    pipe.closed.addEventListener('abort', () => void this.kill());
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasExited = true;
        // Helper processes outlive a crashed browser for a while.
        sendKill(-id);
        pipe.close(new BrowserGone(`the browser ended (${signal ?? code})`));
        for (const stream of child.stdio) stream?.destroy();
        resolve();
      });
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Starts a browser and resolves when it responds; throws BrowserUnavailable otherwise. */
  static async start(options: BrowserProcessOptions, signal: AbortSignal): Promise<BrowserProcess> {
    const child = spawnBrowser(options);
    const lines = new LastLines();
    if (child.stderr) readLines(child.stderr, (line) => lines.add(line));
    const [, , , toBrowser, fromBrowser] = child.stdio;
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    failed.catch(() => {});
    if (child.pid === undefined || !(toBrowser instanceof Socket) || !(fromBrowser instanceof Socket)) {
      return await failed.catch((cause: unknown) => {
        throw new BrowserUnavailable(`${options.rung.command} cannot be started`, { cause });
      });
    }
    lowerProcess(child.pid, options.priority);
    const browser = new BrowserProcess(child, child.pid, new DevToolsPipe(toBrowser, fromBrowser));
    let isSilent = false;
    const timer = options.clock.after(START_TIMEOUT_MS, () => {
      isSilent = true;
      void browser.kill();
    });
    try {
      await browser.pipe.call('Browser.getVersion', {}, { signal });
      return browser;
    } catch (cause) {
      await browser.kill();
      signal.throwIfAborted();
      const said = lines.list().slice(-SHOWN_LINES).join(' | ');
      const Failure = isSilent ? BrowserSilent : BrowserUnavailable;
      throw new Failure(`the browser did not start: ${said || 'it said nothing'}`, { cause });
    } finally {
      timer.cancel();
    }
  }

  /** Kills it with all descendants; resolves when they are gone. */
  async kill(): Promise<void> {
    const tree = processTree(this.id);
    if (!this.#hasExited) sendKill(-this.id);
    // A sandboxed process may have left the group; kill it by its own id.
    for (const { id } of tree) if (id !== this.id) sendKill(id);
    await this.exited;
    await allGone(tree.map(({ id }) => id));
  }
}

function spawnBrowser({ rung, profile, env }: BrowserProcessOptions): ChildProcess {
  const { command, args, userId } = rung;
  return spawn(command, [...args, ...browserArguments(profile)], {
    cwd: profile,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // Its own process group: it can be killed as a whole, and Ctrl-C in a terminal does not reach it.
    detached: true,
    ...(userId !== undefined && { uid: userId, gid: userId }),
  });
}

function sendKill(id: number): boolean {
  try {
    return process.kill(id, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Killed processes exit one by one; one stuck in the kernel is not waited for beyond the bound. */
async function allGone(ids: readonly number[]): Promise<void> {
  for (let check = 0; check < MAX_DEATH_CHECKS; check++) {
    const running = ids.map(isRunning);
    if (!running.includes(true)) return;
    await new Promise((resolve) => setTimeout(resolve, DEATH_CHECK_MS));
  }
}
