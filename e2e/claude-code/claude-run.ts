import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import type { Environment, Exit } from '../stackgate-process.ts';

const RUN_BOUND_MS = 45_000;
/** Arguments to print every event as it comes. */
export const asStream = ['--output-format', 'stream-json', '--verbose', '--include-partial-messages'];
// The discard port: everything that wants to leave the machine fails at once.
const NOWHERE = 'http://127.0.0.1:9';

/** A prompt and settings for Claude Code. */
export interface ClaudeOrder {
  readonly program: string;
  readonly environment: Environment;
  readonly argv: readonly string[];
  /** Files of its project, by name. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
}

/** Claude Code without a terminal, with a new home and project; disposing kills it and removes both. */
export class ClaudeRun implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stackgate-claude-code-'));
  readonly #child: ChildProcess;
  readonly #exited: Promise<Exit>;
  #stdout = '';
  #stderr = '';

  constructor({ program, environment, argv, files = {} }: ClaudeOrder) {
    const home = join(this.#folder, 'home');
    for (const path of [home, this.project]) mkdirSync(path);
    for (const [name, content] of Object.entries(files)) writeFileSync(this.at(name), content);
    this.#child = spawn(program, argv, {
      cwd: this.project,
      env: { ...isolation, PATH: process.env.PATH, HOME: home, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_BOUND_MS,
      killSignal: 'SIGKILL',
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#exited = exitOf(this.#child);
  }

  get project(): string {
    return join(this.#folder, 'project');
  }

  /** Path of a file in the project. */
  at(name: string): string {
    return join(this.project, name);
  }

  /** The JSON lines printed so far. */
  get printed(): readonly unknown[] {
    const whole = this.#stdout.slice(0, this.#stdout.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  /** The pieces of text shown so far, if it was told to show them. */
  get shownPieces(): readonly string[] {
    return this.printed.flatMap((line) => {
      const text = Object(line).event?.delta?.text;
      return typeof text === 'string' ? [text] : [];
    });
  }

  /** Resolves with the first piece of text. */
  async firstPiece(): Promise<void> {
    await eventually('a piece of text is shown', () => this.shownPieces.length > 0 || undefined);
  }

  /** The final object it prints, after it has exited. */
  async result(): Promise<unknown> {
    const exit = await this.#exited;
    const last = this.printed.at(-1);
    if (last === undefined)
      throw new Error(`no result: ${JSON.stringify(exit)} ${this.#stdout}${this.#stderr}`);
    return last;
  }

  /** Sends a signal and waits for the exit. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    return await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const isolation: Environment = {
  HTTPS_PROXY: NOWHERE,
  HTTP_PROXY: NOWHERE,
  NO_PROXY: '127.0.0.1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '2',
};

/** How the process ended, after its last output; it is killed if this process exits first. */
function exitOf(child: ChildProcess): Promise<Exit> {
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('exit', kill);
      resolve({ code, signal });
    });
  });
}
