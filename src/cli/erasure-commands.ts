import type { Command } from 'commander';
import type pg from 'pg';
import { erase } from '../admin/erasure.ts';
import { type ErasedKind, type Erasure, listErasures } from '../store/eraser.ts';
import type { ErasureTarget } from '../store/erasure-target.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { type ErasureTargetOptions, erasureTarget } from './erasure-target-options.ts';
import { onStorage } from './on-storage.ts';
import { cell, table } from './terminal.ts';

/** The kind of things that the commands erase. */
export interface ErasedThings {
  readonly kind: ErasedKind;
  /** An id, for the help. */
  readonly example: string;
  /** Throws if there is no such thing. */
  readonly require: (pool: pg.Pool, id: string) => Promise<unknown>;
}

interface EraseOptions extends ErasureTargetOptions {
  readonly image?: string;
  readonly file?: string;
}

/** `delete`, `erase` and `erasures` of images or files */
export function addErasureCommands(parent: Command, context: CommandContext, things: ErasedThings): void {
  const { kind, example } = things;
  const run = (command: Command, target: ErasureTarget) => eraseTarget(context, command, things, target);
  parent
    .command('delete')
    .description(`Delete one ${kind} for good; the same as erase --${kind}`)
    .argument('<id>', `the ${kind}`)
    .addHelpText('after', `\nExample:\n  stackgate ${kind}s delete ${example}`)
    .action((id: string, _options: unknown, command: Command) => run(command, { scope: 'one', id }));
  parent
    .command('erase')
    .description(`Erase all ${kind}s of an account, a stack or a key, or one ${kind}, and record it`)
    .option(`--${kind} <id>`, `one ${kind}`)
    .option('--key <stack/id>', `all ${kind}s that a key made`)
    .option('--stack <id>', `all ${kind}s of a stack`)
    .option('--account <id>', `all ${kind}s of an account`)
    .addHelpText('after', `\nExample:\n  stackgate ${kind}s erase --key shop/web`)
    .action((options: EraseOptions, command: Command) => run(command, targetOf(kind, options)));
  parent
    .command('erasures')
    .description('Show what was erased, newest first')
    .addHelpText('after', `\nExample:\n  stackgate ${kind}s erasures --json`)
    .action(async (_options: unknown, command: Command) => {
      const all = await onDatabase(context, command, (pool) => listErasures(pool, kind));
      const views = all.map((erasure) => erasureView(kind, erasure));
      report(context, command, { data: views, text: table(views.map(erasureRow)) });
    });
}

async function eraseTarget(
  context: CommandContext,
  command: Command,
  things: ErasedThings,
  target: ErasureTarget,
): Promise<void> {
  const { kind } = things;
  const erasure = await onStorage(context, command, async (storage) => {
    if (target.scope === 'one') await things.require(storage.pool, target.id);
    return await erase(kind, target, storage);
  });
  report(context, command, {
    data: erasureView(kind, erasure),
    text: `${erasure.count} ${kind}(s) of ${erasure.scope} "${erasure.subject}" are erased (record ${erasure.id}).\n`,
  });
}

function targetOf(kind: ErasedKind, options: EraseOptions): ErasureTarget {
  const refusal = `say whose ${kind}s to erase with one of --${kind}, --key, --stack and --account`;
  return erasureTarget(options[kind], options, refusal);
}

function erasureView(kind: ErasedKind, erasure: Erasure) {
  return {
    id: erasure.id,
    scope: erasure.scope,
    subject: erasure.subject,
    [`${kind}s`]: erasure.count,
    size_bytes: erasure.sizeBytes,
    requested_at: erasure.requestedAt,
    finished_at: erasure.finishedAt,
  };
}

function erasureRow(view: ReturnType<typeof erasureView>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(view).map(([name, value]) => [name, cell(value)]));
}
