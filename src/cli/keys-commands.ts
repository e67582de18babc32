import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultKeyCopy } from '../admin/configured-stacks.ts';
import { keyState, keyView } from '../admin/key-view.ts';
import {
  createKey,
  type KeyWithSecret,
  listKeys,
  type NewKey,
  refuseDeclaredSecret,
  revokeKey,
  rotateKey,
} from '../admin/keys.ts';
import type { KeyName, KeyRecord } from '../store/key-records.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { durationSeconds } from './duration.ts';
import { cell, table } from './terminal.ts';

const ONE_DAY_SECONDS = 86_400;

/** `stackgate keys …` */
export function addKeysCommands(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('Make, rotate and revoke API keys');
  keys
    .command('list')
    .description('List keys; secrets are never stored, so never shown')
    .option('--stack <id>', 'only those of one stack')
    .addHelpText('after', '\nExample:\n  stackgate keys list --stack shop')
    .action(async (options: { stack?: string }, command: Command) => {
      const all = await onDatabase(context, command, (pool) => listKeys(pool, options.stack));
      report(context, command, { data: all.map(keyView), text: table(all.map(listRow)) });
    });
  keys
    .command('create')
    .description('Make a key and show its secret, this once')
    .argument('<stack>', 'the stack it opens')
    .argument('<id>', 'lower-case letters, digits, -')
    .option('--prompt <text>', 'the image prompt used when a request has none')
    .option('--retrieval', 'answer chats with excerpts of the knowledge base')
    .addOption(
      new Option('--knowledge <right>', 'what it may do with the knowledge base').choices(['read', 'write']),
    )
    .option('--expires-at <time>', 'ISO 8601, for example 2027-01-01T00:00:00Z', moment)
    .option('--requests-per-minute <number>', 'how many requests it may send in a minute', ceiling)
    .option('--concurrent-requests <number>', 'how many requests it may have in flight', ceiling)
    .addHelpText('after', '\nExample:\n  stackgate keys create shop web --expires-at 2027-01-01T00:00:00Z')
    .action(async (stackId: string, id: string, options: NewKeyOptions, command: Command) => {
      reportSecret(
        context,
        command,
        await onDatabase(context, command, (pool) =>
          createKey(commandWork(pool), newKey({ stackId, id }, options)),
        ),
      );
    });
  keys
    .command('rotate')
    .description('Give a key a new secret; the old one works on for a while')
    .argument('<stack>', 'its stack')
    .argument('<id>', 'the key')
    .option(
      '--overlap <duration>',
      'how long the old secret still works: 90s, 15m, 24h, 7d, 0',
      durationSeconds,
      ONE_DAY_SECONDS,
    )
    .addHelpText('after', '\nExample:\n  stackgate keys rotate shop web --overlap 1h')
    .action(async (stackId: string, id: string, options: { overlap: number }, command: Command) => {
      const rotated = await onDatabase(context, command, (pool, config) => {
        const name = { stackId, id };
        refuseDeclaredSecret(config, name);
        const keepCopy = defaultKeyCopy(config, name);
        return rotateKey(commandWork(pool), name, { overlapSeconds: options.overlap, keepCopy });
      });
      reportSecret(context, command, rotated);
    });
  keys
    .command('revoke')
    .description('End a key for good')
    .argument('<stack>', 'its stack')
    .argument('<id>', 'the key')
    .addHelpText('after', '\nExample:\n  stackgate keys revoke shop web')
    .action(async (stackId: string, id: string, _options: unknown, command: Command) => {
      const key = await onDatabase(context, command, (pool) => revokeKey(commandWork(pool), { stackId, id }));
      report(context, command, {
        data: keyView(key),
        text: `Key "${id}" of stack "${stackId}" is revoked. Running servers refuse it within 5 seconds.\n`,
      });
    });
}

interface NewKeyOptions {
  readonly prompt?: string;
  readonly retrieval?: boolean;
  readonly knowledge?: 'read' | 'write';
  readonly expiresAt?: Date;
  readonly requestsPerMinute?: number;
  readonly concurrentRequests?: number;
}

function newKey(name: KeyName, { requestsPerMinute, concurrentRequests, ...same }: NewKeyOptions): NewKey {
  const limits = {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(concurrentRequests !== undefined && { concurrentRequests }),
  };
  return { ...name, ...same, limits };
}

function moment(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It is an ISO 8601 time.');
  return date;
}

function ceiling(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || !Number.isSafeInteger(number))
    throw new InvalidArgumentError('It is a whole number of at least 1.');
  return number;
}

function listRow(key: KeyRecord): Readonly<Record<string, string>> {
  return {
    stack: key.stackId,
    id: key.id,
    state: keyState(key),
    expires: cell(key.expiresAt),
    retrieval: key.retrieval ? 'on' : 'off',
    owner: key.declared ? 'config file' : 'operator',
  };
}

function reportSecret(context: CommandContext, command: Command, { key, secret }: KeyWithSecret): void {
  report(context, command, {
    data: { ...keyView(key), secret },
    text: `${secret}\nThis is the only time the secret of key "${key.id}" (stack "${key.stackId}") is shown.\n`,
  });
}
