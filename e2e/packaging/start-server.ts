import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const readyBoundMs = 200_000;
const stopBoundMs = 40_000;
const listening = /^Stackgate is listening on (\S+)\n/m;

export interface ServerStart {
  readonly command: readonly [program: string, ...programArguments: string[]];
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** User and group; absent: those of the tests. */
  readonly userId?: number | undefined;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  output(): string;
  /** Sends SIGTERM and returns the exit code once it has exited. */
  stop(): Promise<number | null>;
  /** Sends SIGINT to its process group, like a terminal at Ctrl-C; resolves when all have exited. */
  interrupt(): Promise<void>;
}

/** Starts a server on a free port and waits until it listens. */
export async function startServer(start: ServerStart): Promise<RunningServer> {
  const [program, ...programArguments] = start.command;
  const child = spawn(program, programArguments, {
    cwd: start.cwd,
    // Nothing else of the tests' environment, which may contain a DATABASE_URL.
    env: { PATH: process.env.PATH, STACKGATE_PORT: '0', ...start.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: npm starts a shell that starts the server, and all must end.
    detached: true,
    ...(start.userId === undefined ? {} : { uid: start.userId, gid: start.userId }),
  });
  const killWithTests = () => signalGroup(child, 'SIGKILL');
  process.once('exit', killWithTests);
  // "close" comes when the last of the group has closed the output, "exit" with the first.
  const closed = once(child, 'close').finally(() => process.off('exit', killWithTests));
  const output = collectOutput(child);
  try {
    const url = await waitForAddress(child, output, closed);
    return {
      url,
      output,
      stop: async () => {
        child.kill('SIGTERM');
        await closedInTime(child, closed);
        return child.exitCode;
      },
      interrupt: async () => {
        signalGroup(child, 'SIGINT');
        await closedInTime(child, closed);
      },
      [Symbol.asyncDispose]: () => end(child, closed),
    };
  } catch (error) {
    await end(child, closed);
    throw error;
  }
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

async function waitForAddress(
  child: ChildProcess,
  output: () => string,
  closed: Promise<unknown>,
): Promise<string> {
  const signal = AbortSignal.timeout(readyBoundMs);
  for (;;) {
    const url = listening.exec(output())?.[1];
    if (url !== undefined) return url;
    if (child.stdout === null) throw new Error('the server has no output to read');
    const more = once(child.stdout, 'data', { signal });
    const isOver = await Promise.race([more.then(() => false), closed.then(() => true)]);
    if (isOver && !listening.test(output())) throw new Error(`the server did not start: ${output()}`);
  }
}

async function closedInTime(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const bound = setTimeout(() => signalGroup(child, 'SIGKILL'), stopBoundMs);
  await closed;
  clearTimeout(bound);
}

async function end(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  signalGroup(child, 'SIGKILL');
  await closed.catch(() => {});
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const isOver = child.stdout?.destroyed !== false && child.stderr?.destroyed !== false;
  if (child.pid === undefined || isOver) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The last one just exited.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
