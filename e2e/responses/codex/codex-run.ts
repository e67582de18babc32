import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const RUN_BOUND_MS = 90_000;
// The discard port: everything that wants to leave the machine fails at once.
const NOWHERE = 'http://127.0.0.1:9';

export interface CodexOrder {
  readonly program: string;
  /** The text of its config.toml. */
  readonly config: string;
  readonly key: string;
  readonly prompt: string;
}

/** A line that Codex prints. */
export interface CodexLine {
  readonly type: string;
  readonly item?: { readonly type: string; readonly [member: string]: unknown };
  readonly error?: { readonly message: string };
  readonly [member: string]: unknown;
}

/** The output of one run of Codex, and its folder. */
export class CodexRun implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stackgate-codex-'));
  #lines: readonly CodexLine[] = [];

  /** Runs it without a terminal, in a new home and project. The model is scripted, so its commands are our own and need no sandbox. */
  static async of({ program, config, key, prompt }: CodexOrder): Promise<CodexRun> {
    const run = new CodexRun();
    const [home, project] = [run.#at('home'), run.#at('project')];
    for (const path of [home, project]) mkdirSync(path);
    writeFileSync(join(home, 'config.toml'), config);
    const unasked = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const child = spawn(program, ['exec', '--json', ...unasked, prompt], {
      cwd: project,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CODEX_HOME: home,
        STACKGATE_KEY: key,
        HTTPS_PROXY: NOWHERE,
        HTTP_PROXY: NOWHERE,
        NO_PROXY: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: RUN_BOUND_MS,
      killSignal: 'SIGKILL',
    });
    run.#lines = await outputOf(child);
    return run;
  }

  /** The messages and calls that it completed. */
  items(type: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#lines.flatMap(({ type: kind, item }) =>
      kind === 'item.completed' && item?.type === type ? [item] : [],
    );
  }

  get lastMessage(): unknown {
    return this.items('agent_message').at(-1)?.text;
  }

  /** The last line that it printed. */
  get end(): CodexLine | undefined {
    return this.#lines.at(-1);
  }

  /** The content of a file in the project. */
  file(name: string): string | undefined {
    const path = join(this.#at('project'), name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  }

  #at(name: string): string {
    return join(this.#folder, name);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function outputOf(child: ChildProcess): Promise<readonly CodexLine[]> {
  if (child.stdout === null || child.stderr === null) throw new Error('the output is not piped');
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const closed = once(child, 'close');
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  process.off('exit', kill);
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  if (lines.length === 0) throw new Error(`Codex printed nothing: ${complaints}`);
  return lines.map((line) => JSON.parse(line));
}
