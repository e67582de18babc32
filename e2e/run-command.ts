import { type StackgateCommand, StackgateProcess } from './stackgate-process.ts';

const COMMAND_BOUND_MS = 120_000;

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one Stackgate command. */
export async function runCommand(command: StackgateCommand): Promise<CommandResult> {
  await using running = new StackgateProcess(command);
  const bound = setTimeout(() => running.signal('SIGKILL'), COMMAND_BOUND_MS);
  const { code } = await running.exited;
  clearTimeout(bound);
  return { code, stdout: running.stdout, stderr: running.stderr };
}

/** Runs a command with `--json` that must succeed, and returns its output. */
export async function runForJson(command: StackgateCommand): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand({
    ...command,
    argv: ['--json', ...(command.argv ?? [])],
  });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
