import { type Command, Option } from 'commander';
import type { OperatorRole } from '../access/operator.ts';
import {
  type InvitedPerson,
  invitePerson,
  listPeople,
  type RemovedPerson,
  removePerson,
  resetPerson,
} from '../admin/people.ts';
import type { Config } from '../config/config.ts';
import { setupLinkUrl } from '../people/setup-links.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { addListCommand } from './list-command.ts';
import { cell } from './terminal.ts';

const ROLES: readonly OperatorRole[] = ['operator', 'read-only', 'member'];

interface InviteOptions {
  readonly role?: OperatorRole;
  readonly stack?: string;
}

/** `stackgate console …` */
export function addConsoleCommands(program: Command, context: CommandContext): void {
  const console = program.command('console').description('Let people into the console at /console');
  console
    .command('invite')
    .description('Make a link for a new person, valid once and for 30 minutes')
    .argument('<name>', 'the name to log in with, for example ann or ann@example.com')
    .addOption(new Option('--role <role>', 'what the person may do (default: operator)').choices(ROLES))
    .option('--stack <id>', 'the stack of a member')
    .addHelpText('after', '\nExample:\n  stackgate console invite ann --stack shop')
    .action(async (name: string, { role, stack }: InviteOptions, command: Command) => {
      const standing = { role: role ?? (stack === undefined ? 'operator' : 'member'), stackId: stack };
      await onDatabase(context, command, async (pool, config) => {
        reportLink(context, command, {
          config,
          invited: await invitePerson(commandWork(pool), { name, ...standing }),
        });
      });
    });
  console
    .command('reset')
    .description('Make a link by which a person sets a new password; all their sessions end then')
    .argument('<name>', 'the person')
    .addHelpText('after', '\nExample:\n  stackgate console reset ann')
    .action(async (name: string, _options: unknown, command: Command) => {
      await onDatabase(context, command, async (pool, config) => {
        reportLink(context, command, { config, invited: await resetPerson(commandWork(pool), name) });
      });
    });
  addListCommand(console, context, {
    description: 'List the people who can log in, and when they last did',
    read: listPeople,
    view: personView,
    row: (person) => cells(personView(person)),
  });
  console
    .command('remove')
    .description('Remove a person, whose sessions end, or withdraw an invitation')
    .argument('<name>', 'the person')
    .addHelpText('after', '\nExample:\n  stackgate console remove ann')
    .action(async (name: string, _options: unknown, command: Command) => {
      const person = await onDatabase(context, command, (pool) => removePerson(commandWork(pool), name));
      report(context, command, {
        data: personView(person),
        text: `"${person.name}" cannot log in any more.\n`,
      });
    });
}

function reportLink(
  context: CommandContext,
  command: Command,
  { config, invited }: { readonly config: Config; readonly invited: InvitedPerson },
): void {
  const { name, role, stackId, token } = invited;
  const link = setupLinkUrl(originOf(config), token);
  report(context, command, {
    data: { name, role, stack: stackId ?? null, link },
    text: `${link}\nIt lets "${name}" (${role}${stackId === undefined ? '' : ` of ${stackId}`}) set a password, once, within 30 minutes.\n`,
  });
}

/** The address of the gateway as it is configured; empty if only the server knows its port. */
function originOf({ server: { publicUrl, host, port, tls } }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  if (port === 0) return '';
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function personView({ name, role, stackId, passwordHash, createdAt, lastLogInAt }: RemovedPerson) {
  return {
    name,
    role,
    stack: stackId ?? null,
    password: passwordHash !== undefined,
    created_at: createdAt ?? null,
    last_log_in_at: lastLogInAt ?? null,
  };
}

function cells(view: ReturnType<typeof personView>): Record<string, string> {
  return Object.fromEntries(Object.entries(view).map(([name, value]) => [name, cell(value)]));
}
