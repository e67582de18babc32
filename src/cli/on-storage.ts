import type { Command } from 'commander';
import type { OperatorStorage } from '../admin/operator-storage.ts';
import { type CommandContext, onDatabase } from './command-context.ts';
import { commandWork } from './command-work.ts';

/** For work that only the end of the process ends. */
export const neverAborted: AbortSignal = new AbortController().signal;

/** Runs work with the configured database and blob store. */
export async function onStorage<Result>(
  context: CommandContext,
  command: Command,
  work: (storage: OperatorStorage) => Promise<Result>,
): Promise<Result> {
  return await onDatabase(context, command, async (pool, config) =>
    work({ ...commandWork(pool), blobs: await context.openBlobs(config), signal: neverAborted }),
  );
}
