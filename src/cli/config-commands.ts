import type { Command } from 'commander';
import { configJsonSchema } from '../config/config-json-schema.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';

/** `stackgate config …` */
export function addConfigCommands(program: Command, context: CommandContext): void {
  const config = program.command('config').description('Check the configuration');
  config
    .command('check')
    .description('Read the configuration and report every problem, one line each')
    .addHelpText('after', '\nExample:\n  stackgate config check --config stackgate.yaml')
    .action(async (_options: unknown, command: Command) => {
      const loaded = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
      const source = loaded.file ?? 'built-in defaults';
      report(context, command, {
        data: { ok: true, file: loaded.file ?? null },
        text: `${source}: no problems\n`,
      });
    });
  config
    .command('schema')
    .description('Print a JSON Schema of the configuration file, for editors')
    .addHelpText('after', '\nExample:\n  stackgate config schema > stackgate.schema.json')
    .action(() => context.terminal.out(`${JSON.stringify(configJsonSchema(), null, 2)}\n`));
}
