import { DatabaseInUse } from '@stackgate/pglite-host';
import { CommanderError } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';
import { StorageFull } from '../blobs/storage-full.ts';
import { ModelTooLarge, ModelUnknown } from '../catalogue/fetch-failures.ts';
import { ConfigInvalid } from '../config/config-problem.ts';
import { hasErrorCode } from '../lib/error-code.ts';
import { DataFolderUnusable } from '../store/data-folder.ts';
import { isDatabaseAway } from '../store/database-errors.ts';
import { MigrationMismatch } from '../store/migrate.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './exit-codes.ts';
import { buildProgram } from './program.ts';

/** Runs a command line and returns its exit code; failures are printed as a line, never as a stack trace. */
export async function runProgram(argv: readonly string[], context: CommandContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync([...argv], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    if (error instanceof ConfigInvalid) {
      context.terminal.err(`${error.message}\n`);
      return exitCodes.usage;
    }
    context.terminal.err(`stackgate: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof OperatorError || error instanceof ModelUnknown) return exitCodes.refused;
  const isUnavailable =
    error instanceof DatabaseInUse ||
    error instanceof DataFolderUnusable ||
    error instanceof MigrationMismatch ||
    error instanceof StorageFull ||
    error instanceof ModelTooLarge ||
    isDatabaseAway(error) ||
    isFolderProblem(error);
  return isUnavailable ? exitCodes.unavailable : exitCodes.failed;
}

const FOLDER_CODES = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'] as const;

function isFolderProblem(error: unknown): boolean {
  return error instanceof Error && 'path' in error && hasErrorCode(error, ...FOLDER_CODES);
}
