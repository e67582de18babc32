import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeBackup } from '../admin/backup.ts';
import { dropForeignDefaultKey } from '../admin/configured-stacks.ts';
import { restoreBackup } from '../admin/restore.ts';
import { packageVersion } from '../lib/package-version.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { neverAborted } from './on-storage.ts';

/** `stackgate backup` and `stackgate restore` */
export function addBackupCommands(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('Write all rows and stored files into one file; the server may run')
    .argument('<file>', 'where to')
    .addHelpText('after', '\nExample:\n  stackgate backup stackgate-2026-11-16.backup')
    .action(async (file: string, _options: unknown, command: Command) => {
      const path = resolve(file);
      const counts = await onDatabase(context, command, async (pool, config) =>
        writeBackup(path, {
          pool,
          blobs: await context.openBlobs(config),
          version: packageVersion(),
          signal: neverAborted,
        }),
      );
      report(context, command, {
        data: { file: path, ...counts },
        text: `${counts.rows} rows and ${counts.blobs} files are in ${path}\n`,
      });
    });
  program
    .command('restore')
    .description('Fill an empty database from a backup, embedded or PostgreSQL whichever it came from')
    .argument('<file>', 'a file made by "stackgate backup"')
    .option('--replace', 'empty the database first')
    .addHelpText(
      'after',
      '\nExample, growing from embedded to PostgreSQL:\n  stackgate backup all.backup\n  DATABASE_URL=postgres://… stackgate restore all.backup',
    )
    .action(async (file: string, options: { replace?: boolean }, command: Command) => {
      const path = resolve(file);
      const counts = await onDatabase(context, command, async (pool, config) => {
        const blobs = await context.openBlobs(config);
        const restored = await restoreBackup(path, {
          ...commandWork(pool),
          blobs,
          replace: options.replace ?? false,
          signal: neverAborted,
        });
        await dropForeignDefaultKey(pool, config);
        return restored;
      });
      report(context, command, {
        data: { file: path, ...counts },
        text: `${counts.rows} rows and ${counts.blobs} files were restored from ${path}\n`,
      });
    });
}
