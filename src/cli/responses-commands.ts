import type { Command } from 'commander';
import { eraseResponses, showResponse } from '../admin/responses.ts';
import { listResponseErasures, type ResponseErasure } from '../store/response-eraser.ts';
import { listResponseRecords, type ResponseRecord } from '../store/response-records.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { type ErasureTargetOptions, erasureTarget } from './erasure-target-options.ts';
import { type TimeFilters, timeQuery, withTimeFilters } from './filter-options.ts';
import { onStorage } from './on-storage.ts';
import { positiveNumber } from './positive-number.ts';
import { cell, table } from './terminal.ts';

const DEFAULT_LIST = 50;

interface EraseOptions extends ErasureTargetOptions {
  readonly response?: string;
}

/** `stackgate responses …` */
export function addResponsesCommands(program: Command, context: CommandContext): void {
  const responses = program.command('responses').description('Look at and erase stored responses');
  withTimeFilters(responses.command('list'))
    .description('List the stored responses of a stack, newest first, without their contents')
    .argument('<stack>', 'the stack')
    .option('--limit <number>', 'at most so many', positiveNumber, DEFAULT_LIST)
    .addHelpText('after', '\nExample:\n  stackgate responses list shop --key web --from 2026-11-01')
    .action(async (stackId: string, options: TimeFilters & { limit: number }, command: Command) => {
      const query = { ...timeQuery(stackId, options), limit: options.limit };
      const found = await onDatabase(context, command, (pool) => listResponseRecords(pool, query));
      report(context, command, { data: found.map(recordView), text: table(found.map(listRow)) });
    });
  responses
    .command('show')
    .description('Show everything that is stored of a response')
    .argument('<id>', 'the response')
    .addHelpText('after', '\nExample:\n  stackgate responses show resp_0123456789abcdef01234567')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { record, input, response } = await onStorage(context, command, (storage) =>
        showResponse(id, storage),
      );
      const data = { ...recordView(record), input, response };
      report(context, command, { data, text: `${JSON.stringify(data, null, 2)}\n` });
    });
  addErasing(responses, context);
}

function addErasing(responses: Command, context: CommandContext): void {
  responses
    .command('delete')
    .description('Delete one response for good; the same as erase --response')
    .argument('<id>', 'the response')
    .addHelpText('after', '\nExample:\n  stackgate responses delete resp_0123456789abcdef01234567')
    .action((id: string, _options: unknown, command: Command) => erase(context, command, { response: id }));
  responses
    .command('erase')
    .description(
      'Erase all responses and conversations of an account, a stack or a key, or one response, and record it',
    )
    .option('--response <id>', 'one response')
    .option('--key <stack/id>', 'everything that a key made')
    .option('--stack <id>', 'everything of a stack')
    .option('--account <id>', 'everything of an account')
    .addHelpText('after', '\nExample:\n  stackgate responses erase --key shop/web')
    .action((options: EraseOptions, command: Command) => erase(context, command, options));
  responses
    .command('erasures')
    .description('Show what was erased, newest first')
    .addHelpText('after', '\nExample:\n  stackgate responses erasures --json')
    .action(async (_options: unknown, command: Command) => {
      const all = await onDatabase(context, command, (pool) => listResponseErasures(pool));
      const rows = all.map((erasure) => cells(erasureView(erasure)));
      report(context, command, { data: all.map(erasureView), text: table(rows) });
    });
}

async function erase(context: CommandContext, command: Command, options: EraseOptions): Promise<void> {
  const target = erasureTarget(
    options.response,
    options,
    'say what to erase with one of --response, --key, --stack and --account',
  );
  const erasure = await onStorage(context, command, (storage) => eraseResponses(target, storage));
  const { responses, conversations, scope, subject, id } = erasure;
  report(context, command, {
    data: erasureView(erasure),
    text: `${responses} response(s) and ${conversations} conversation(s) of ${scope} "${subject}" are erased (record ${id}).\n`,
  });
}

function recordView(record: ResponseRecord) {
  return {
    id: record.id,
    account: record.accountId,
    stack: record.stackId,
    key: record.keyId,
    model: record.model,
    status: record.status,
    background: record.background,
    previous_response_id: record.previousId,
    conversation: record.conversationId,
    size_bytes: record.sizeBytes,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
  };
}

function listRow(record: ResponseRecord): Readonly<Record<string, string>> {
  const { id, keyId: key, status, model, createdAt, expiresAt, sizeBytes } = record;
  return cells({ id, key, status, model, created: createdAt, expires: expiresAt, bytes: sizeBytes });
}

function erasureView(erasure: ResponseErasure) {
  return {
    id: erasure.id,
    scope: erasure.scope,
    subject: erasure.subject,
    responses: erasure.responses,
    conversations: erasure.conversations,
    size_bytes: erasure.sizeBytes,
    requested_at: erasure.requestedAt,
    finished_at: erasure.finishedAt,
  };
}

function cells(view: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(view).map(([name, value]) => [name, cell(value)]));
}
