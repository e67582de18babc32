import { type ChildProcess, spawn } from 'node:child_process';
import type { Environment } from '../config/process-environment.ts';
import { hasErrorCode } from '../lib/error-code.ts';
import { SourceFailed } from './fetch-failures.ts';
import type { FetchTimes } from './source-job.ts';

const MAX_COMPLAINT_CHARACTERS = 4000;
const MAX_REASON_CHARACTERS = 300;
const KILL_AFTER_MS = 3000;

/** The program is not installed. */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing';
}

export interface ToolRun {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: Environment;
  readonly times: FetchTimes;
  readonly signal: AbortSignal;
  /** Bytes written so far; unchanged means idle. */
  readonly measure: () => Promise<number>;
}

/** Runs a program; kills it if it writes nothing for too long. Throws ToolMissing or SourceFailed. */
export async function runTool(run: ToolRun): Promise<void> {
  run.signal.throwIfAborted();
  const [executable = '', ...args] = run.command;
  const child = spawn(executable, args, {
    cwd: run.folder,
    env: { ...run.environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const idle = watchIdleness(run, child);
  const onAbort = () => end(child);
  run.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const { code, complaint } = await outcomeOf(child);
    run.signal.throwIfAborted();
    if (idle.isTooLong) throw new SourceFailed(`${executable} brought nothing for a while and was stopped`);
    if (/No module named pip\b/.test(complaint)) throw new ToolMissing(executable);
    if (code !== 0) throw new SourceFailed(`${executable} failed (${reasonOf(complaint, code)})`);
  } finally {
    idle.stop();
    run.signal.removeEventListener('abort', onAbort);
  }
}

function outcomeOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly complaint: string }> {
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARACTERS);
    });
    child.on('error', (error) => {
      const isMissing = hasErrorCode(error, 'ENOENT', 'EACCES');
      reject(isMissing ? new ToolMissing(error.message) : error);
    });
    child.on('close', (code) => resolve({ code, complaint }));
  });
}

/** The last meaningful line has the reason; pip and npm surround it with hints and log paths. */
function reasonOf(complaint: string, code: number | null): string {
  const lines = complaint.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => /^(ERROR:|npm (ERR!|error) (?!A complete log))/.test(line));
  const line = errors[0] ?? lines.findLast((candidate) => candidate !== '') ?? `exit code ${code}`;
  return line.replace(/^ERROR:\s*|^npm (ERR!|error)\s*/, '').slice(0, MAX_REASON_CHARACTERS);
}

interface Idleness {
  readonly isTooLong: boolean;
  stop(): void;
}

/** Kills a program whose output has not grown for too long. */
function watchIdleness({ times, measure }: ToolRun, child: ChildProcess): Idleness {
  const maxIdleLooks = Math.ceil(times.stallMs / times.lookMs);
  let [lastBytes, idleLooks, isTooLong, isLooking] = [0, 0, false, false];
  const look = async () => {
    if (isLooking) return;
    isLooking = true;
    const bytes = await measure();
    isLooking = false;
    idleLooks = bytes === lastBytes ? idleLooks + 1 : 0;
    lastBytes = bytes;
    if (idleLooks < maxIdleLooks) return;
    isTooLong = true;
    clearInterval(timer);
    end(child);
  };
  const timer = setInterval(() => void look(), times.lookMs);
  return {
    get isTooLong() {
      return isTooLong;
    },
    stop: () => clearInterval(timer),
  };
}

function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  child.once('exit', () => clearTimeout(timer));
}
