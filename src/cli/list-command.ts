import type { Command } from 'commander';
import type pg from 'pg';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { table } from './terminal.ts';

export interface Listing<Item> {
  readonly description: string;
  readonly read: (pool: pg.Pool) => Promise<readonly Item[]>;
  /** As JSON. */
  readonly view: (item: Item) => object;
  /** As a row of a table. */
  readonly row: (item: Item) => Readonly<Record<string, string>>;
}

/** Adds `list` to a group of commands: all there is, without options. */
export function addListCommand<Item>(
  group: Command,
  context: CommandContext,
  { description, read, view, row }: Listing<Item>,
): void {
  group
    .command('list')
    .description(description)
    .addHelpText('after', `\nExample:\n  stackgate ${group.name()} list --json`)
    .action(async (_options: unknown, command: Command) => {
      const all = await onDatabase(context, command, read);
      report(context, command, { data: all.map(view), text: table(all.map(row)) });
    });
}
