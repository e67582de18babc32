import { type Command, InvalidArgumentError, Option } from 'commander';
import { changeStack, createStack, listStacks, type StackChanges, showStack } from '../admin/stacks.ts';
import { planNames } from '../config/config.ts';
import type { StackRecord } from '../store/stack-records.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { cell, table } from './terminal.ts';

/** `stackgate stacks …` */
export function addStacksCommands(program: Command, context: CommandContext): void {
  const stacks = program.command('stacks').description('Show and change stacks');
  stacks
    .command('list')
    .description('List all stacks')
    .action(async (_options: unknown, command: Command) => {
      const all = await onDatabase(context, command, listStacks);
      report(context, command, { data: all.map(stackView), text: table(all.map(listRow)) });
    });
  stacks
    .command('show')
    .description('Show one stack')
    .argument('<id>', 'the stack')
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
      reportStack(
        context,
        command,
        await onDatabase(context, command, (pool) => createStack(pool, id, changesOf(options))),
      );
    });
  withStackOptions(stacks.command('set').description('Change a stack').argument('<id>', 'the stack'))
    .addHelpText(
      'after',
      '\nExample:\n  stackgate stacks set shop --plan max --system-prompt "You are the shop\'s assistant."',
    )
    .action(async (id: string, options: StackOptions, command: Command) => {
      reportStack(
        context,
        command,
        await onDatabase(context, command, (pool) => changeStack(pool, id, changesOf(options))),
      );
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
    .option('--paused', 'paused for inactivity')
    .option('--no-paused', 'not paused');
}

function temperature(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 2))
    throw new InvalidArgumentError('It is a number from 0 to 2.');
  return value;
}

function changesOf({ model, ...same }: StackOptions): StackChanges {
  return { ...same, ...(model === undefined ? {} : { models: model }) };
}

/** A stack in the words of the configuration file. */
function stackView(stack: StackRecord) {
  return {
    id: stack.id,
    account: stack.accountId,
    plan: stack.plan,
    image_plan: stack.imagePlan,
    text: stack.textEngines,
    image: stack.imageEngine,
    models: stack.models,
    system_prompt: stack.systemPrompt,
    temperature: stack.temperature,
    paused: stack.paused,
    limits: stack.limits,
    declared: stack.declared,
    disabled_at: stack.disabledAt,
    created_at: stack.createdAt,
  };
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
