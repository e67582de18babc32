import { type Command, InvalidArgumentError, Option } from 'commander';
import { readUsage } from '../admin/usage.ts';
import { csv } from '../lib/csv.ts';
import { DAY_FORM, usageDay } from '../usage/usage-days.ts';
import type { UsageDimension } from '../usage/usage-row.ts';
import { usageAnswer } from '../usage/wire/usage-answer.ts';
import { type CommandContext, type GlobalOptions, onDatabase } from './command-context.ts';
import { table } from './terminal.ts';

const DIMENSIONS: readonly UsageDimension[] = ['account', 'stack', 'key', 'endpoint', 'model', 'day'];
const FORMATS = ['table', 'csv', 'json'] as const;

interface UsageOptions {
  readonly by: readonly UsageDimension[];
  readonly since?: string;
  readonly until?: string;
  readonly stack?: string;
  readonly account?: string;
  readonly format: (typeof FORMATS)[number];
}

/** `stackgate usage` */
export function addUsageCommand(program: Command, context: CommandContext): void {
  program
    .command('usage')
    .description('Show what was used, by whom')
    .option('--by <names>', `what to tell apart, with commas: ${DIMENSIONS.join(', ')}`, dimensions, [
      'stack',
    ])
    .option('--since <day>', 'the first day in UTC (default: 30 days up to the last)', day)
    .option('--until <day>', 'the last day in UTC (default: today)', day)
    .option('--stack <id>', 'only one stack')
    .option('--account <id>', 'only the stacks of one account')
    .addOption(new Option('--format <form>', 'how to print it').choices(FORMATS).default('table'))
    .addHelpText('after', '\nExample:\n  stackgate usage --by key,day --since 2026-11-01 --format csv')
    .action(async ({ format, ...asked }: UsageOptions, command: Command) => {
      const groups = await onDatabase(context, command, (pool) => readUsage(pool, asked));
      const views = groups.map(usageAnswer);
      const { json } = command.optsWithGlobals<GlobalOptions>();
      if (json === true || format === 'json') context.terminal.out(`${JSON.stringify(views, null, 2)}\n`);
      else context.terminal.out((format === 'csv' ? csv : table)(views.map((view) => row(view, asked.by))));
    });
}

function dimensions(text: string): readonly UsageDimension[] {
  const names = text.split(',').map((name) => {
    const known = DIMENSIONS.find((dimension) => dimension === name.trim());
    if (known === undefined) throw new InvalidArgumentError(`It is one or more of ${DIMENSIONS.join(', ')}.`);
    return known;
  });
  return Array.from(new Set(names));
}

function day(text: string): string {
  const known = usageDay(text);
  if (known === undefined) throw new InvalidArgumentError(`It is ${DAY_FORM}.`);
  return known;
}

/** A table row: group columns first, in the requested order. */
function row(
  { errors, latency_ms, ...view }: ReturnType<typeof usageAnswer>,
  by: readonly UsageDimension[],
): Readonly<Record<string, string>> {
  const names = by.map((name) => [name, view[name] ?? '']);
  const { requests, prompt_tokens, completion_tokens, pages, images, pdf_pages, cost } = view;
  const numbers = {
    requests,
    prompt_tokens,
    completion_tokens,
    pages,
    images,
    pdf_pages,
    client_errors: errors.client,
    limit_errors: errors.limit,
    server_errors: errors.server,
    gone: errors.gone,
    mean_ms: latency_ms.mean,
    p95_ms: latency_ms.p95,
    max_ms: latency_ms.max,
    cost,
  };
  return Object.fromEntries([
    ...names,
    ...Object.entries(numbers).map(([name, value]) => [name, String(value)]),
  ]);
}
