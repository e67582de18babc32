import { readdirSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { childProcesses } from './child-processes.ts';

/** The longest file takes three minutes on a busy machine. */
const STUCK_MS = 12 * 60_000;
const LOOKS = 20;
const WORKER = 'vitest/dist/workers/forks.js';

export interface StuckWorkersOptions {
  readonly stuckMs?: number;
  readonly say?: (text: string) => void;
}

/**
 * A reporter of vitest. A test that hangs ends by its time-out, but not where its worker is blocked, or waits while it loads the
 * file. Then the run would never end: this names the files, tells where the threads of their workers stand, and ends the workers.
 */
export class StuckWorkers implements Reporter {
  readonly #stuckMs: number;
  readonly #say: (text: string) => void;
  readonly #running = new Set<string>();
  #lastMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    stuckMs = STUCK_MS,
    say = (text) => void process.stderr.write(text),
  }: StuckWorkersOptions = {}) {
    this.#stuckMs = stuckMs;
    this.#say = say;
  }

  onTestRunStart(): void {
    this.#lastMs = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#stuckMs / LOOKS);
    this.#timer.unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#lastMs = performance.now();
    this.#running.add(module.relativeModuleId);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lastMs = performance.now();
    this.#running.delete(module.relativeModuleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (performance.now() - this.#lastMs < this.#stuckMs) return;
    this.#lastMs = performance.now();
    const files = [...this.#running].join(', ') || 'none: all have ended';
    this.#say(`\nNo file has begun or ended for ${this.#stuckMs / 1_000} s. Still running: ${files}\n`);
    for (const worker of process.platform === 'linux' ? childProcesses(WORKER) : []) {
      this.#say(`worker ${worker}\n${threadsOf(worker)}\n`);
      process.kill(worker, 'SIGKILL');
    }
  }
}

function threadsOf(worker: number): string {
  const folder = `/proc/${worker}/task`;
  return readdirSync(folder)
    .map((id) => `${folder}/${id}`)
    .map((thread) => `  ${['comm', 'stat', 'wchan', 'syscall'].map((name) => shown(thread, name)).join(' ')}`)
    .join('\n');
}

function shown(thread: string, name: string): string {
  try {
    const text = readFileSync(`${thread}/${name}`, 'utf8').trim();
    return name === 'stat' ? (text.split(') ')[1]?.slice(0, 1) ?? '') : text;
  } catch {
    return '-';
  }
}
