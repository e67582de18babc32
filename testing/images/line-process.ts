import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of testing/fixtures that prints lines; disposing kills it. */
export class LineProcess implements AsyncDisposable {
  readonly lines: string[] = [];
  readonly errors: string[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #onLine: () => void = () => {};

  constructor(script: string, argv: readonly string[]) {
    const path = fileURLToPath(new URL(`../fixtures/${script}`, import.meta.url));
    this.#child = spawn(process.execPath, [path, ...argv]);
    let rest = '';
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
      this.#onLine();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => this.errors.push(text));
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.#onLine();
        resolve();
      });
    });
  }

  /** Waits for this many lines; throws if it exits before. */
  async printed(count: number): Promise<void> {
    while (this.lines.length < count) {
      if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.errors.join('')}`);
      await new Promise<void>((resolve) => {
        this.#onLine = resolve;
      });
    }
  }

  /** SIGKILL; resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** SIGTERM; resolves when it has exited. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }

  /** Waits until it exits by itself. */
  async end(): Promise<void> {
    await this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
