import { type Command, InvalidArgumentError } from 'commander';
import { type BudgetView, listBudgets, setAccountBudget } from '../admin/budgets.ts';
import { changeKey } from '../admin/keys.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { changeStack } from '../admin/stacks.ts';
import type { BudgetLimits } from '../config/config.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { commandWork } from './command-work.ts';
import { cell, table } from './terminal.ts';

const SCOPES = ['account', 'stack', 'key'] as const;

interface BudgetOptions {
  readonly hard?: number;
  readonly soft?: number;
}

/** `stackgate budgets …` */
export function addBudgetsCommands(program: Command, context: CommandContext): void {
  const budgets = program.command('budgets').description('Show and set budgets of money');
  budgets
    .command('list')
    .description('List budgets and what was spent of them this month')
    .addHelpText('after', '\nExample:\n  stackgate budgets list --json')
    .action(async (_options: unknown, command: Command) => {
      const { all, currency } = await onDatabase(context, command, async (pool, config) => ({
        all: await listBudgets(pool),
        currency: config.prices.currency,
      }));
      report(context, command, {
        data: all.map((budget) => ({ ...budget, currency })),
        text: table(all.map((budget) => listRow(budget, currency))),
      });
    });
  budgets
    .command('set')
    .description('Set the budget of an account, a stack or a key; without limits it has none')
    .argument('<scope>', SCOPES.join(', '), scope)
    .argument('<name>', 'the account or stack, or the stack and the key as stack/key')
    .option(
      '--hard <amount>',
      'money per calendar month; when it is spent, requests that cost something are 429',
      amount,
    )
    .option('--soft <amount>', 'money per calendar month after which the webhook is called', amount)
    .addHelpText(
      'after',
      '\nExamples:\n  stackgate budgets set stack shop --hard 100 --soft 80\n  stackgate budgets set key shop/web',
    )
    .action(async (of: (typeof SCOPES)[number], name: string, options: BudgetOptions, command: Command) => {
      const budget = Object.keys(options).length === 0 ? null : options;
      await onDatabase(context, command, async (pool) => {
        const work = commandWork(pool);
        if (of === 'account') await setAccountBudget(work, name, budget);
        else if (of === 'stack') await changeStack(work, name, { changes: { budget } });
        else await changeKey(work, keyName(name), { changes: { budget } });
      });
      const data = { scope: of, name, hard: budget?.hard ?? null, soft: budget?.soft ?? null };
      report(context, command, { data, text: `${sentence(of, name, budget)}\n` });
    });
}

function sentence(of: string, name: string, budget: BudgetLimits | null): string {
  const change = budget === null ? 'has no budget any more' : 'has a new budget';
  return `The ${of} "${name}" ${change}. Running servers know within 5 seconds.`;
}

function keyName(name: string): { readonly stackId: string; readonly id: string } {
  const [stackId = '', id, ...rest] = name.split('/');
  if (id === undefined || rest.length > 0) throw new OperatorError(`a key is named stack/key, got "${name}"`);
  return { stackId, id };
}

function listRow(
  { scope, name, hard, soft, used }: BudgetView,
  currency: string,
): Readonly<Record<string, string>> {
  return { scope, name, hard: cell(hard), soft: cell(soft), used: String(used), currency };
}

function scope(text: string): (typeof SCOPES)[number] {
  const known = SCOPES.find((each) => each === text);
  if (known === undefined) throw new InvalidArgumentError(`It is one of ${SCOPES.join(', ')}.`);
  return known;
}

function amount(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 1_000_000_000)
    throw new InvalidArgumentError('It is a number from 0 to 1000000000.');
  return value;
}
