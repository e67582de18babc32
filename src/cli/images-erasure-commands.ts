import type { Command } from 'commander';
import { eraseImages, showImage } from '../admin/images.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { type Erasure, type ErasureTarget, listErasures } from '../store/image-eraser.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { keyName } from './filter-options.ts';
import { onStorage } from './on-storage.ts';
import { cell, table } from './terminal.ts';

interface EraseOptions {
  readonly image?: string;
  readonly key?: string;
  readonly stack?: string;
  readonly account?: string;
}

/** `stackgate images delete`, `erase` and `erasures` */
export function addErasureCommands(images: Command, context: CommandContext): void {
  images
    .command('delete')
    .description('Delete one image for good; the same as erase --image')
    .argument('<id>', 'the image')
    .addHelpText('after', '\nExample:\n  stackgate images delete img_0123456789abcdef0123456789abcdef')
    .action((id: string, _options: unknown, command: Command) => erase(context, command, { image: id }));
  images
    .command('erase')
    .description('Erase all images of an account, a stack or a key, or one image, and record it')
    .option('--image <id>', 'one image')
    .option('--key <stack/id>', 'all images that a key made')
    .option('--stack <id>', 'all images of a stack')
    .option('--account <id>', 'all images of an account')
    .addHelpText('after', '\nExample:\n  stackgate images erase --key shop/web')
    .action((options: EraseOptions, command: Command) => erase(context, command, options));
  images
    .command('erasures')
    .description('Show what was erased, newest first')
    .addHelpText('after', '\nExample:\n  stackgate images erasures --json')
    .action(async (_options: unknown, command: Command) => {
      const all = await onDatabase(context, command, (pool) => listErasures(pool));
      report(context, command, { data: all.map(erasureView), text: table(all.map(erasureRow)) });
    });
}

async function erase(context: CommandContext, command: Command, options: EraseOptions): Promise<void> {
  const target = targetOf(options);
  const erasure = await onStorage(context, command, async (storage) => {
    if (target.scope === 'image') await showImage(storage.pool, target.imageId);
    return await eraseImages(target, storage);
  });
  report(context, command, {
    data: erasureView(erasure),
    text: `${erasure.images} image(s) of ${erasure.scope} "${erasure.subject}" are erased (record ${erasure.id}).\n`,
  });
}

function targetOf({ image, key, stack, account }: EraseOptions): ErasureTarget {
  const given = [image, key, stack, account].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new OperatorError('say whose images to erase with one of --image, --key, --stack and --account');
  if (image !== undefined) return { scope: 'image', imageId: image };
  if (stack !== undefined) return { scope: 'stack', stackId: stack };
  if (account !== undefined) return { scope: 'account', accountId: account };
  return { scope: 'key', ...keyName(key ?? '') };
}

function erasureView(erasure: Erasure) {
  return {
    id: erasure.id,
    scope: erasure.scope,
    subject: erasure.subject,
    images: erasure.images,
    size_bytes: erasure.sizeBytes,
    requested_at: erasure.requestedAt,
    finished_at: erasure.finishedAt,
  };
}

function erasureRow(erasure: Erasure): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(erasureView(erasure)).map(([name, value]) => [name, cell(value)]));
}
