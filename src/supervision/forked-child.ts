import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { ChildPortListener, LaunchChild } from './child-port.ts';
import { readMessages, writeMessage } from './message-frames.ts';
import { readLines } from './output-lines.ts';

/** A forked child gets this environment and `SILENT`, and none of the parent's. */
export interface ForkedChildOptions {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly folder?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Keeps ONNX Runtime from reporting to its maker; it reads this when it starts. */
const SILENT = { ORT_DISABLE_TELEMETRY: '1' };

// Output may stay open after the exit if a grandchild inherited it.
const outputDrainMs = 500;

/** A child in its own Node process: SIGKILL stops it even inside native code, and a crash does not affect the parent. */
export function forkedChild(options: ForkedChildOptions): LaunchChild {
  return (listener) => {
    const child = spawnNode(options);
    listen(child, listener);
    const pipe = child.stdio[3];
    if (!(pipe instanceof Socket)) return { send() {}, kill() {} };
    // A broken pipe means that the child died; its exit is reported separately.
    pipe.on('error', () => {});
    readMessages(pipe, listener.message);
    return {
      processId: child.pid,
      send: (message) => writeMessage(pipe, message),
      kill: () => void child.kill('SIGKILL'),
    };
  };
}

function spawnNode(options: ForkedChildOptions): ChildProcess {
  const { entry, env, args = [], nodeOptions = [], folder, uid, gid } = options;
  return spawn(process.execPath, [...nodeOptions, entry, ...args], {
    env: { ...SILENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A session of its own: where Linux groups processes by session (autogroup), a child's priority beside others is that of its session.
    detached: process.platform === 'linux',
    ...(folder !== undefined && { cwd: folder }),
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
}

function listen(child: ChildProcess, listener: ChildPortListener): void {
  if (child.stdout) readLines(child.stdout, listener.line);
  if (child.stderr) readLines(child.stderr, listener.line);
  child.on('error', (error) => {
    if (child.pid === undefined) listener.ended({ exitCode: null, signal: null, error });
  });
  child.once('exit', (exitCode, signal) => {
    if (child.pid === undefined) return;
    const end = () => {
      clearTimeout(drainTimer);
      child.off('close', end);
      for (const stream of child.stdio) stream?.destroy();
      listener.ended({ exitCode, signal });
    };
    const drainTimer = setTimeout(end, outputDrainMs);
    child.once('close', end);
  });
}
