import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lazyWasm } from '../testing/lazy-wasm.ts';

const STOP_BOUND_MS = 120_000;
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** All variables of a started process; by default the port is a free one. */
export type Environment = Readonly<Record<string, string>>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StackgateCommand {
  readonly cwd: string;
  readonly argv?: readonly string[];
  readonly environment?: Environment;
}

/** The built program as a process; it never outlives the test's process. */
export class StackgateProcess implements AsyncDisposable {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';

  constructor({ cwd, argv = [], environment = {} }: StackgateCommand) {
    this.#child = spawn(process.execPath, [lazyWasm, program, ...argv], {
      cwd,
      // Nothing of the tests' environment, which may contain a DATABASE_URL. Without pip or npm on the PATH, no test fetches
      // models in the background unless it asks to.
      env: { STACKGATE_PORT: '0', PATH: '/nowhere', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    const letGo = killWithThisProcess(this.#child);
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      // "close" comes after the last output, "exit" may come before it.
      this.#child.once('close', (code, signal) => {
        letGo();
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the process was not started');
    return this.#child.pid;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends a signal, unless it has exited. */
  signal(name: NodeJS.Signals): void {
    if (!this.hasExited) this.#child.kill(name);
  }

  /** Stops reading its output, until `readOn`. */
  stopReading(): void {
    this.#child.stdout?.pause();
    this.#child.stderr?.pause();
  }

  readOn(): void {
    this.#child.stdout?.resume();
    this.#child.stderr?.resume();
  }

  /** Closes the reading ends of its output. */
  leaveOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /**
   * Stops it by SIGINT and waits; kills it if it does not exit, which shows in the result. After SIGTERM it would keep serving
   * for a while.
   */
  async stop(): Promise<Exit> {
    this.signal('SIGINT');
    const bound = setTimeout(() => this.signal('SIGKILL'), STOP_BOUND_MS);
    const exit = await this.exited;
    clearTimeout(bound);
    return exit;
  }

  /** Kills it without a chance to clean up. */
  async kill(): Promise<Exit> {
    this.signal('SIGKILL');
    return await this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Kills the child when this process ends, also by a signal or the test runner; returns a function to undo that. */
function killWithThisProcess(child: ChildProcess): () => void {
  const kill = (): void => void child.kill('SIGKILL');
  const killAndEnd = (signal: NodeJS.Signals): void => {
    kill();
    letGo();
    process.kill(process.pid, signal);
  };
  const letGo = (): void => {
    process.off('exit', kill).off('disconnect', kill).off('SIGTERM', killAndEnd).off('SIGINT', killAndEnd);
  };
  process.on('exit', kill).on('disconnect', kill).on('SIGTERM', killAndEnd).on('SIGINT', killAndEnd);
  return letGo;
}
