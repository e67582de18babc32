import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  addFiles,
  listDocuments,
  listFolders,
  reindexDocuments,
  removeDocuments,
} from '../admin/knowledge.ts';
import { OperatorError } from '../admin/operator-error.ts';
import type { SearchKind } from '../admin/search-move.ts';
import type { KnowledgeDocument } from '../knowledge/knowledge-document.ts';
import { documentAnswer } from '../knowledge/wire/document-answer.ts';
import type { FolderState } from '../store/sql-folder-book.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { addKnowledgeSearchCommand } from './knowledge-search-command.ts';
import { onStorage } from './on-storage.ts';
import { moveSearch } from './search-move-command.ts';
import { cell, table } from './terminal.ts';

const LATER = 'The gateway indexes in the background, at once where it runs and else when it is started.\n';

/** `stackgate knowledge …` */
export function addKnowledgeCommands(program: Command, context: CommandContext): void {
  const knowledge = program.command('knowledge').description('Documents that answers are drawn from');
  addAdd(knowledge, context);
  knowledge
    .command('list')
    .description('List the documents of a stack, with how far they are indexed')
    .argument('<stack>', 'the stack')
    .addHelpText('after', '\nExample:\n  stackgate knowledge list shop')
    .action(async (stackId: string, _options: unknown, command: Command) => {
      const all = await onStorage(context, command, (storage) => listDocuments(stackId, storage));
      report(context, command, { data: all.map(documentAnswer), text: table(all.map(listRow)) });
    });
  addFolders(knowledge, context);
  addRemove(knowledge, context);
  addReindex(knowledge, context);
  addKnowledgeSearchCommand(knowledge, context);
}

function addAdd(knowledge: Command, context: CommandContext): void {
  knowledge
    .command('add')
    .description('Add files to the documents of a stack; one with the same name is replaced')
    .argument('<stack>', 'the stack')
    .argument('<files...>', 'Markdown, text, HTML, PDF, DOCX or CSV, up to 50 MB each')
    .option('--name <name>', 'another name than that of the file')
    .addHelpText('after', '\nExample:\n  stackgate knowledge add shop docs/handbook.md docs/prices.pdf')
    .action(
      async (stackId: string, files: readonly string[], { name }: { name?: string }, command: Command) => {
        const paths = files.map((file) => resolve(file));
        const added = await onStorage(context, command, (storage) =>
          addFiles(stackId, paths, { storage, name }),
        );
        reportQueued(context, command, added);
      },
    );
}

function addFolders(knowledge: Command, context: CommandContext): void {
  knowledge
    .command('folders')
    .description('List the folders and buckets that are watched, and what came of their files')
    .argument('[stack]', 'the stack; all unless said')
    .addHelpText('after', '\nExample:\n  stackgate knowledge folders shop')
    .action(async (stackId: string | undefined, _options: unknown, command: Command) => {
      const all = await onDatabase(context, command, (pool) => listFolders(stackId, { pool }));
      report(context, command, { data: all.map(folderView), text: table(all.map(folderRow)) });
    });
}

function folderView(folder: FolderState) {
  return {
    stack: folder.stackId,
    source: folder.source,
    looked_at: folder.lookedAt?.toISOString() ?? null,
    files: folder.files,
    waiting: folder.waiting,
    documents: folder.documents,
    ready: folder.ready,
    failed: folder.failed,
    problem: folder.problem,
  };
}

function folderRow(folder: FolderState): Readonly<Record<string, string>> {
  const { looked_at, files, waiting, ready, failed, stack, source, problem } = folderView(folder);
  return {
    stack,
    source: cell(source),
    'looked at': cell(looked_at),
    files: String(files),
    waiting: String(waiting),
    ready: String(ready),
    failed: String(failed),
    problem: cell(problem),
  };
}

function addRemove(knowledge: Command, context: CommandContext): void {
  knowledge
    .command('remove')
    .description('Remove documents of a stack, with all that is stored of them')
    .argument('<stack>', 'the stack')
    .argument('[documents...]', 'ids or names')
    .option('--all', 'all that the configuration file does not own')
    .addHelpText('after', '\nExample:\n  stackgate knowledge remove shop handbook.md')
    .action(
      async (stackId: string, names: readonly string[], { all }: { all?: boolean }, command: Command) => {
        if ((names.length === 0) !== (all === true))
          throw new OperatorError('name the documents to remove, or say --all, but not both');
        const removed = await onStorage(context, command, async (storage) => {
          const chosen = all === true ? (await listDocuments(stackId, storage)).filter(isOperators) : [];
          return removeDocuments(stackId, [...names, ...chosen.map(({ id }) => id)], storage);
        });
        report(context, command, {
          data: removed.map(({ id, name }) => ({ id, name, deleted: true })),
          text: `${removed.length} document(s) of stack "${stackId}" are removed.\n`,
        });
      },
    );
}

function addReindex(knowledge: Command, context: CommandContext): void {
  knowledge
    .command('reindex')
    .description('Read, cut and embed documents anew; they are found as they are until that is done')
    .argument('[stack]', 'the stack')
    .argument('[documents...]', 'ids or names; all of the stack unless said')
    .addOption(
      new Option(
        '--to <kind>',
        'instead move the indexes of all stacks, for another engines.search.kind',
      ).choices(['postgres', 'embedded']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate knowledge reindex shop handbook.md\n  stackgate knowledge reindex --to postgres',
    )
    .action(
      async (
        stackId: string | undefined,
        names: readonly string[],
        { to }: { to?: SearchKind },
        command: Command,
      ) => {
        if ((stackId === undefined) !== (to !== undefined))
          throw new OperatorError('name a stack, or say --to for all of them, but not both');
        if (to !== undefined) return await moveSearch(to, context, command);
        const queued = await onStorage(context, command, (storage) =>
          reindexDocuments(stackId ?? '', names, storage),
        );
        reportQueued(context, command, queued);
      },
    );
}

function ownerOf({ declared, source }: KnowledgeDocument): string {
  if (!declared) return 'operator';
  return source === undefined ? 'config file' : `config file: ${cell(source)}`;
}

function isOperators({ declared }: KnowledgeDocument): boolean {
  return !declared;
}

function reportQueued(
  context: CommandContext,
  command: Command,
  documents: readonly KnowledgeDocument[],
): void {
  const isWaiting = documents.some(({ state }) => state === 'queued');
  report(context, command, {
    data: documents.map(documentAnswer),
    text: `${table(documents.map(listRow))}${isWaiting ? LATER : ''}`,
  });
}

function listRow(document: KnowledgeDocument): Readonly<Record<string, string>> {
  const { state, progress } = document;
  return {
    id: document.id,
    name: cell(document.name),
    bytes: String(document.sizeBytes),
    state: state === 'indexing' ? `indexing ${Math.floor(progress * 100)} %` : state,
    found: document.searchable ? `${document.chunks} passages` : 'no',
    owner: ownerOf(document),
    failure: cell(document.failure),
  };
}
