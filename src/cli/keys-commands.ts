import type { Command } from 'commander';
import { defaultKeyCopy } from '../admin/configured-stacks.ts';
import { keyState, keyView } from '../admin/key-view.ts';
import {
  changeKey,
  createKey,
  type KeyWithSecret,
  listKeys,
  refuseDeclaredSecret,
  revokeKey,
  rotateKey,
  showKey,
} from '../admin/keys.ts';
import type { KeyRecord } from '../store/key-records.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { durationSeconds } from './duration.ts';
import { changesOf, type KeyOptions, withKeyOptions, withNegatedKeyOptions } from './key-options.ts';
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
  withKeyOptions(
    keys
      .command('create')
      .description('Make a key and show its secret, this once')
      .argument('<stack>', 'the stack it opens')
      .argument('<id>', 'lower-case letters, digits, -'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate keys create shop web --expires-at 2027-01-01T00:00:00Z\n' +
        '  stackgate keys create shop app --scopes chat models --allowed-ips 10.0.0.0/8',
    )
    .action(async (stackId: string, id: string, options: KeyOptions, command: Command) => {
      reportSecret(
        context,
        command,
        await onDatabase(context, command, (pool) =>
          createKey(commandWork(pool), { stackId, id, ...changesOf(options) }),
        ),
      );
    });
  withNegatedKeyOptions(
    withKeyOptions(
      keys
        .command('set')
        .description('Change a key; its secret stays')
        .argument('<stack>', 'its stack')
        .argument('<id>', 'the key'),
    ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate keys set shop web --scopes chat,models --read-only\n' +
        '  stackgate keys set shop web --scopes "" --no-read-only    back to everything that its stack may',
    )
    .action(async (stackId: string, id: string, options: KeyOptions, command: Command) => {
      const key = await onDatabase(context, command, async (pool) => {
        const name = { stackId, id };
        const { limits } = await showKey(pool, name);
        return await changeKey(commandWork(pool), name, { changes: changesOf(options, limits) });
      });
      report(context, command, {
        data: keyView(key),
        text: `Key "${id}" of stack "${stackId}" is changed. Running servers know within 5 seconds.\n`,
      });
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

function listRow(key: KeyRecord): Readonly<Record<string, string>> {
  return {
    stack: key.stackId,
    id: key.id,
    state: keyState(key),
    expires: cell(key.expiresAt),
    retrieval: key.retrieval ? 'on' : 'off',
    bounds: boundsOf(key),
    owner: key.declared ? 'config file' : 'operator',
  };
}

/** The restrictions of a key in a few words. */
function boundsOf({ scopes, allowedModels, allowedIps, readOnly, ownImagesOnly }: KeyRecord): string {
  const bounds = [
    ...(scopes ?? []),
    ...(readOnly ? ['read only'] : []),
    ...(ownImagesOnly ? ['own images'] : []),
    ...(allowedModels ?? []),
    ...(allowedIps ?? []),
  ];
  return bounds.length === 0 ? '-' : bounds.join(', ');
}

function reportSecret(context: CommandContext, command: Command, { key, secret }: KeyWithSecret): void {
  report(context, command, {
    data: { ...keyView(key), secret },
    text: `${secret}\nThis is the only time the secret of key "${key.id}" (stack "${key.stackId}") is shown.\n`,
  });
}
