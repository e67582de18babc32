import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../eventually.ts';
import { ask } from '../http-answer.ts';

const script = fileURLToPath(new URL('llama_server.py', import.meta.url));
const LISTENING = /^listening on (http:\S+)$/m;
const LISTENING_BOUND_MS = 60_000;
const END_BOUND_MS = 10_000;
const SHOWN_CHARACTERS = 2_000;

/** A running llama.cpp server with a small model; it exits when its stdin closes, which happens when this process ends. */
export class LlamaServer implements AsyncDisposable {
  readonly #child: ChildProcess;
  #stdout = '';
  #log = '';

  private constructor(python: string) {
    this.#child = spawn(python, [script], { env: { PYTHONDONTWRITEBYTECODE: '1' }, stdio: 'pipe' });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-SHOWN_CHARACTERS);
    });
  }

  /** Starts one and waits until its model is loaded. */
  static async start(python: string): Promise<LlamaServer> {
    const server = new LlamaServer(python);
    try {
      await eventually('llama.cpp listens', () => server.#address(), LISTENING_BOUND_MS);
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  get url(): string {
    return this.#address() ?? '';
  }

  /** Whether it is writing an answer. */
  async isBusy(): Promise<boolean> {
    const { text } = await ask(`${this.url}/slots`);
    return /"is_processing":\s*true/.test(text);
  }

  #address(): string | undefined {
    if (this.#hasEnded) throw new Error(`llama.cpp ended: ${this.#log}`);
    return LISTENING.exec(this.#stdout)?.[1];
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    const bound = setTimeout(() => this.#child.kill('SIGKILL'), END_BOUND_MS);
    await ended;
    clearTimeout(bound);
  }
}
