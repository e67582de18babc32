import type { Command } from 'commander';
import { OperatorError } from '../admin/operator-error.ts';
import { rollBack } from '../store/migrate.ts';
import { releases } from '../store/releases.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';

/** `stackgate rollback` */
export function addRollbackCommand(program: Command, context: CommandContext): void {
  program
    .command('rollback')
    .description('Let an older release start on this database again; nothing is removed')
    .argument('<version>', `one of: ${Object.keys(releases).join(', ')}`)
    .addHelpText('after', '\nExample:\n  stackgate rollback 0.1.0   # then install and start 0.1.0')
    .action(async (version: string, _options: unknown, command: Command) => {
      const release = releases[version];
      if (release === undefined)
        throw new OperatorError(
          `there is no way back to version ${version}, only to: ${Object.keys(releases).join(', ')}`,
        );
      const names = await onDatabase(context, command, (pool) => rollBack(pool, release));
      const what = names.length === 0 ? 'nothing had to be set aside' : `set aside: ${names.join(', ')}`;
      report(context, command, {
        data: { version, set_aside: names },
        text: `Version ${version} can start on this database (${what}). A newer version takes it up again when it starts.\n`,
      });
    });
}
