import type { Command } from 'commander';
import { createOperator, listOperators, revokeOperator } from '../admin/operators.ts';
import type { OperatorToken } from '../store/operator-tokens.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { addListCommand } from './list-command.ts';
import { cell } from './terminal.ts';

/** `stackgate operators …` */
export function addOperatorsCommands(program: Command, context: CommandContext): void {
  const operators = program.command('operators').description('Make and revoke tokens of the admin API');
  addListCommand(operators, context, {
    description: 'List operator tokens; secrets are never stored, so never shown',
    read: listOperators,
    view: tokenView,
    row: listRow,
  });
  operators
    .command('create')
    .description('Make an operator token and show it, this once')
    .argument('<name>', 'lower-case letters, digits, -')
    .option('--read-only', 'it may look and change nothing')
    .option('--stack <id>', 'it sees this stack only')
    .addHelpText('after', '\nExample:\n  stackgate operators create terraform --stack shop')
    .action(async (name: string, options: NewTokenOptions, command: Command) => {
      const { token, secret } = await onDatabase(context, command, (pool) =>
        createOperator(commandWork(pool), {
          name,
          readOnly: options.readOnly === true,
          stackId: options.stack,
        }),
      );
      report(context, command, {
        data: { ...tokenView(token), secret },
        text: `${secret}\nThis is the only time the token of operator "${name}" is shown.\n`,
      });
    });
  operators
    .command('revoke')
    .description('End an operator token for good')
    .argument('<name>', 'the operator')
    .addHelpText('after', '\nExample:\n  stackgate operators revoke terraform')
    .action(async (name: string, _options: unknown, command: Command) => {
      const token = await onDatabase(context, command, (pool) => revokeOperator(commandWork(pool), name));
      report(context, command, {
        data: tokenView(token),
        text: `The token of operator "${name}" is revoked. Running servers refuse it within 5 seconds.\n`,
      });
    });
}

interface NewTokenOptions {
  readonly readOnly?: boolean;
  readonly stack?: string;
}

function tokenView(token: OperatorToken) {
  return {
    name: token.name,
    role: token.readOnly ? 'read-only' : 'operator',
    stack: token.stackId,
    created_at: token.createdAt,
    revoked_at: token.revokedAt,
    last_used_at: token.lastUsedAt,
  };
}

function listRow(token: OperatorToken): Readonly<Record<string, string>> {
  const { name, role, stack } = tokenView(token);
  return {
    name,
    role,
    stack: stack ?? 'all',
    state: token.revokedAt === null ? 'active' : 'revoked',
    'last used': cell(token.lastUsedAt),
  };
}
