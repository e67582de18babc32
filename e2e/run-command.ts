import { type StackgateCommand, StackgateProcess } from './stackgate-process.ts';

const COMMAND_BOUND_MS = 120_000;

/** What a command that ran to its end left. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line of Stackgate to its end. */
export async function runCommand(command: StackgateCommand): Promise<CommandResult> {
  await using running = new StackgateProcess(command);
  const bound = setTimeout(() => running.signal('SIGKILL'), COMMAND_BOUND_MS);
  const { code } = await running.exited;
  clearTimeout(bound);
  return { code, stdout: running.stdout, stderr: running.stderr };
}

/** Runs a command with `--json` that must succeed, and returns what it printed. */
export async function runForJson(command: StackgateCommand): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand({
    ...command,
    argv: ['--json', ...(command.argv ?? [])],
  });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
