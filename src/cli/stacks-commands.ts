import { type Command, InvalidArgumentError, Option } from 'commander';
import { stackView } from '../admin/stack-view.ts';
import {
  changeStack,
  createStack,
  listStacks,
  requireEngines,
  type StackChanges,
  showStack,
} from '../admin/stacks.ts';
import { type Config, planNames } from '../config/config.ts';
import { LimitInvalid, type LimitSettings, parseLimitSetting } from '../config/limit-settings.ts';
import type { StackRecord } from '../store/stack-records.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { addListCommand } from './list-command.ts';
import { cell, table } from './terminal.ts';

/** `stackgate stacks …` */
export function addStacksCommands(program: Command, context: CommandContext): void {
  const stacks = program.command('stacks').description('Show and change stacks');
  addListCommand(stacks, context, {
    description: 'List all stacks',
    read: listStacks,
    view: stackView,
    row: listRow,
  });
  stacks
    .command('show')
    .description('Show one stack')
    .argument('<id>', 'the stack')
    .addHelpText('after', '\nExample:\n  stackgate stacks show shop')
    .action(async (id: string, _options: unknown, command: Command) => {
      reportStack(context, command, await onDatabase(context, command, (pool) => showStack(pool, id)));
    });
  withStackOptions(
    stacks.command('create').description('Make a stack').argument('<id>', 'lower-case letters, digits, -'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  stackgate stacks create shop --account acme --plan pro --image-plan --text gpu',
    )
    .action(async (id: string, options: StackOptions, command: Command) => {
      const stack = await onDatabase(context, command, (pool, config) =>
        createStack(commandWork(pool), id, changesOf(options, config)),
      );
      reportStack(context, command, stack);
    });
  withStackOptions(stacks.command('set').description('Change a stack').argument('<id>', 'the stack'))
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate stacks set shop --plan max --system-prompt "You are the shop\'s assistant."\n' +
        '  stackgate stacks set shop --limit extraction.pages=100 requests_per_minute=60\n' +
        '  stackgate stacks set shop --limit extraction.pages= --system-prompt ""    back to the defaults',
    )
    .action(async (id: string, options: StackOptions, command: Command) => {
      const stack = await onDatabase(context, command, (pool, config) =>
        changeStack(commandWork(pool), id, { changes: changesOf(options, config) }),
      );
      reportStack(context, command, stack);
    });
}

interface StackOptions {
  readonly account?: string;
  readonly plan?: (typeof planNames)[number];
  readonly imagePlan?: boolean;
  readonly text?: string[];
  readonly image?: string;
  readonly model?: string[];
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly paused?: boolean;
  readonly storeResponses?: boolean;
  readonly limit?: LimitSettings;
}

function withStackOptions(command: Command): Command {
  return command
    .option('--account <id>', 'the account it belongs to (default: its own id)')
    .addOption(new Option('--plan <plan>', 'the plan').choices(planNames))
    .option('--image-plan', 'on the image plan')
    .option('--no-image-plan', 'not on the image plan')
    .option('--text <engine...>', 'text engines: the served one, then those that stand in for it')
    .option('--image <engine>', 'the image engine')
    .option('--model <name...>', 'values of `model`, the served one first')
    .option('--system-prompt <text>', 'the configured system prompt')
    .option('--temperature <number>', 'the default temperature, 0 to 2', temperature)
    .option(
      '--limit <name=value...>',
      "limits of its own, named as in the configuration file; nothing after the = is the plan's again, null none",
      limitSetting,
    )
    .option('--store-responses', 'responses may be stored')
    .option('--no-store-responses', 'nothing of a response is stored')
    .option('--paused', 'paused for inactivity')
    .option('--no-paused', 'not paused');
}

function temperature(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 2))
    throw new InvalidArgumentError('It is a number from 0 to 2.');
  return value;
}

function limitSetting(text: string, before: LimitSettings = new Map()): LimitSettings {
  try {
    return new Map([...before, parseLimitSetting(text)]);
  } catch (error) {
    throw error instanceof LimitInvalid ? new InvalidArgumentError(`\n${error.message}`) : error;
  }
}

/** Options as changes; an empty value restores the default. */
function changesOf(options: StackOptions, { engines }: Config): StackChanges {
  const { model, limit, text, image, systemPrompt, ...same } = options;
  const changes = {
    ...same,
    ...(text === undefined ? {} : { text: withoutEmpty(text) }),
    ...(image === undefined ? {} : { image: image || null }),
    ...(model === undefined ? {} : { models: withoutEmpty(model) }),
    ...(systemPrompt === undefined ? {} : { systemPrompt: systemPrompt || null }),
    ...(limit === undefined ? {} : { limitSettings: limit }),
  };
  requireEngines(changes, engines);
  return changes;
}

function withoutEmpty(names: readonly string[] | undefined): readonly string[] | null {
  const named = names?.filter((name) => name !== '') ?? [];
  return named.length === 0 ? null : named;
}

function listRow(stack: StackRecord): Readonly<Record<string, string>> {
  return {
    id: stack.id,
    account: stack.accountId,
    plan: stack.plan,
    images: stack.imagePlan ? 'yes' : 'no',
    text: cell(stack.textEngines),
    state: stack.disabledAt === null ? (stack.paused ? 'paused' : 'active') : 'disabled',
    owner: stack.declared ? 'config file' : 'operator',
  };
}

function reportStack(context: CommandContext, command: Command, stack: StackRecord): void {
  const view = stackView(stack);
  const rows = Object.entries(view).map(([key, value]) => ({ key, value: cell(value) }));
  report(context, command, { data: view, text: table(rows) });
}
