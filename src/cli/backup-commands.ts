import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { openBackupPlace, splitAddress } from '../admin/backup-place.ts';
import { backupReaders, backupSecrets } from '../admin/backup-readers.ts';
import { dropForeignDefaultKey } from '../admin/configured-stacks.ts';
import { checkBackup, restoreBackup } from '../admin/restore.ts';
import type { Config } from '../config/config.ts';
import { indexFolder } from '../knowledge/search/index-files.ts';
import { makeAgeKeys } from '../lib/age/age-keys.ts';
import { packageVersion } from '../lib/package-version.ts';
import { type CommandContext, type GlobalOptions, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { neverAborted } from './on-storage.ts';

interface BackupOptions {
  readonly to?: string;
  readonly recipient?: readonly string[];
  readonly passphraseFile?: string;
}

interface RestoreOptions {
  readonly replace?: boolean;
  readonly check?: boolean;
  readonly identity?: string;
  readonly passphraseFile?: string;
}

/** `stackgate backup`, `stackgate restore` and `stackgate backup-key` */
export function addBackupCommands(program: Command, context: CommandContext): void {
  addBackup(program, context);
  addRestore(program, context);
  program
    .command('backup-key')
    .description('Make a pair of keys for encrypted backups; the secret one is needed to restore them')
    .addHelpText('after', '\nExample:\n  stackgate backup-key > backup.key   # keep it away from the server')
    .action((_options: unknown, command: Command) => {
      const { identity, recipient } = makeAgeKeys();
      report(context, command, {
        data: { identity, recipient },
        text: `# public key, for backups.recipients: ${recipient}\n${identity}\n`,
      });
    });
}

function addBackup(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description('Write all rows and stored files into one file; the server may run')
    .argument('[file]', 'where to: a file, or s3://bucket/name')
    .option('--to <place>', 'the same as the argument')
    .option('--recipient <key...>', 'encrypt to a public key (age1…); default: backups.recipients')
    .option('--passphrase-file <file>', 'encrypt with the passphrase in a file')
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate backup stackgate-2026-11-16.backup\n  stackgate backup --to s3://bucket/all.backup.age --recipient age1…',
    )
    .action(async (file: string | undefined, options: BackupOptions, command: Command) => {
      const given = file ?? options.to;
      if (given === undefined || (file !== undefined && options.to !== undefined))
        command.error('error: name one file or s3://bucket/name for the backup');
      const address = addressOf(given);
      const counts = await onDatabase(context, command, async (pool, config) => {
        const { place, name } = splitAddress(address);
        const readers = await backupReaders(readerOptions(options, config));
        const blobs = await context.openBlobs(config);
        const target = await openBackupPlace(place, config);
        const version = packageVersion();
        return await target.write(name, { pool, blobs, version, signal: neverAborted, readers });
      });
      report(context, command, {
        data: { file: address, ...counts },
        text: `${counts.rows} rows and ${counts.blobs} files are in ${address}\n`,
      });
    });
}

function addRestore(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .description('Fill an empty database from a backup, embedded or PostgreSQL whichever it came from')
    .argument('<file>', 'made by "stackgate backup": a file, or s3://bucket/name')
    .option('--replace', 'empty the database first')
    .option('--check', 'only read the backup to its end and say whether it can be restored')
    .option('--identity <file>', 'the secret key of an encrypted backup')
    .option('--passphrase-file <file>', 'the passphrase of an encrypted backup')
    .addHelpText(
      'after',
      '\nExample, growing from embedded to PostgreSQL:\n  stackgate backup all.backup\n  DATABASE_URL=postgres://… stackgate restore all.backup',
    )
    .action(async (file: string, options: RestoreOptions, command: Command) => {
      const address = addressOf(file);
      if (options.check === true) await check(context, command, { address, options });
      else await restore(context, command, { address, options });
    });
}

interface Restoring {
  readonly address: string;
  readonly options: RestoreOptions;
}

async function check(context: CommandContext, command: Command, asked: Restoring): Promise<void> {
  const config = await context.loadConfig(command.optsWithGlobals<GlobalOptions>().config);
  const secrets = await backupSecrets(asked.options);
  const { head, rows, blobs } = await withBackup(asked.address, config, (path) => checkBackup(path, secrets));
  report(context, command, {
    data: { file: asked.address, version: head.version, created_at: head.createdAt, rows, blobs },
    text: `${asked.address} is whole: ${rows} rows and ${blobs} files, made by version ${head.version} at ${head.createdAt}\n`,
  });
}

async function restore(context: CommandContext, command: Command, asked: Restoring): Promise<void> {
  const { address, options } = asked;
  const secrets = await backupSecrets(options);
  const counts = await onDatabase(context, command, async (pool, config) => {
    const blobs = await context.openBlobs(config);
    const replace = options.replace ?? false;
    const restored = await withBackup(address, config, (path) =>
      restoreBackup(path, { ...commandWork(pool), blobs, replace, signal: neverAborted, secrets }),
    );
    await dropForeignDefaultKey(pool, config);
    // Indexes of other documents than those that were restored.
    await rm(indexFolder(config.dataDir), { recursive: true, force: true });
    return restored;
  });
  report(context, command, {
    data: { file: address, ...counts },
    text: `${counts.rows} rows and ${counts.blobs} files were restored from ${address}\n`,
  });
}

async function withBackup<Result>(
  address: string,
  config: Config,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const { place, name } = splitAddress(address);
  return await (await openBackupPlace(place, config)).withFile(name, use, neverAborted);
}

function addressOf(file: string): string {
  return file.startsWith('s3://') ? file : resolve(file);
}

/** The options of the command, else those of the configuration. */
function readerOptions({ recipient, passphraseFile }: BackupOptions, { backups }: Config) {
  if (recipient === undefined && passphraseFile === undefined) return backups ?? {};
  return { recipients: recipient ?? [], passphraseFile };
}
