import type { Command } from 'commander';
import { listFiles, showFile } from '../admin/files.ts';
import type { StoredFile } from '../files/file-store.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { addErasureCommands } from './erasure-commands.ts';
import { positiveNumber } from './positive-number.ts';
import { cell, table } from './terminal.ts';

const DEFAULT_LIST = 50;

interface ListOptions {
  readonly purpose?: string;
  readonly limit: number;
}

/** `stackgate files …` */
export function addFilesCommands(program: Command, context: CommandContext): void {
  const files = program.command('files').description('Look at uploaded files and erase them');
  files
    .command('list')
    .description('List the files of a stack, newest first')
    .argument('<stack>', 'the stack')
    .option('--purpose <word>', 'only those with this purpose')
    .option('--limit <number>', 'at most so many', positiveNumber, DEFAULT_LIST)
    .addHelpText('after', '\nExample:\n  stackgate files list shop --purpose user_data')
    .action(async (stackId: string, { purpose, limit }: ListOptions, command: Command) => {
      const query = { stackId, limit, ...(purpose !== undefined && { purpose }) };
      const found = await onDatabase(context, command, (pool) => listFiles(pool, query));
      report(context, command, { data: found.map(fileView), text: table(found.map(listRow)) });
    });
  files
    .command('show')
    .description('Show everything known of a file but its bytes')
    .argument('<id>', 'the file')
    .addHelpText('after', `\nExample:\n  stackgate files show ${EXAMPLE}`)
    .action(async (id: string, _options: unknown, command: Command) => {
      const view = fileView(await onDatabase(context, command, (pool) => showFile(pool, id)));
      const rows = Object.entries(view).map(([key, value]) => ({ key, value: cell(value) }));
      report(context, command, { data: view, text: table(rows) });
    });
  addErasureCommands(files, context, { kind: 'file', example: EXAMPLE, require: showFile });
}

const EXAMPLE = 'file_4f0193e5c1a2b30123456789abcdef01';

function fileView(file: StoredFile) {
  return {
    id: file.id,
    account: file.accountId,
    stack: file.stackId,
    key: file.keyId,
    name: file.name,
    purpose: file.purpose,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    created_at: file.createdAt,
    expires_at: file.expiresAt,
  };
}

function listRow(file: StoredFile): Readonly<Record<string, string>> {
  return {
    id: file.id,
    key: file.keyId,
    created: cell(file.createdAt),
    expires: cell(file.expiresAt),
    bytes: cell(file.sizeBytes),
    purpose: file.purpose,
    name: cell(file.name),
  };
}
