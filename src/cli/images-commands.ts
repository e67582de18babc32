import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportImage, listImages, showImage } from '../admin/images.ts';
import { OperatorError } from '../admin/operator-error.ts';
import type { OperatorStorage } from '../admin/operator-storage.ts';
import type { StoredImage } from '../images/gallery.ts';
import { type CommandContext, onDatabase, report } from './command-context.ts';
import { addErasureCommands } from './erasure-commands.ts';
import { type TimeFilters, timeQuery, withTimeFilters } from './filter-options.ts';
import { onStorage } from './on-storage.ts';
import { positiveNumber } from './positive-number.ts';
import { cell, table } from './terminal.ts';

const DEFAULT_LIST = 50;
const EXPORT_ALL = Number.MAX_SAFE_INTEGER;

/** `stackgate images …` */
export function addImagesCommands(program: Command, context: CommandContext): Command {
  const images = program.command('images').description('Paint, look at, export and erase images');
  addList(images, context);
  images
    .command('show')
    .description('Show everything known of an image but its bytes')
    .argument('<id>', 'the image')
    .addHelpText('after', '\nExample:\n  stackgate images show img_0123456789abcdef0123456789abcdef')
    .action(async (id: string, _options: unknown, command: Command) => {
      const view = imageView(await onDatabase(context, command, (pool) => showImage(pool, id)));
      const rows = Object.entries(view).map(([key, value]) => ({ key, value: cell(value) }));
      report(context, command, { data: view, text: table(rows) });
    });
  addExport(images, context);
  const example = 'img_0123456789abcdef0123456789abcdef';
  addErasureCommands(images, context, { kind: 'image', example, require: showImage });
  return images;
}

function addList(images: Command, context: CommandContext): void {
  withTimeFilters(images.command('list'))
    .description('List the images of a stack, newest first')
    .argument('<stack>', 'the stack')
    .option('--limit <number>', 'at most so many', positiveNumber, DEFAULT_LIST)
    .addHelpText('after', '\nExample:\n  stackgate images list shop --key web --from 2026-11-01')
    .action(async (stackId: string, options: TimeFilters & { limit: number }, command: Command) => {
      const found = await onDatabase(context, command, (pool) =>
        collect(listImages(pool, { ...timeQuery(stackId, options), limit: options.limit })),
      );
      report(context, command, { data: found.map(imageView), text: table(found.map(listRow)) });
    });
}

function addExport(images: Command, context: CommandContext): void {
  withTimeFilters(images.command('export'))
    .description('Write images into a folder as PNG files')
    .argument('<folder>', 'where to; made unless it is there')
    .argument('[ids...]', 'the images; or name a stack')
    .option('--stack <id>', 'all images of a stack')
    .addHelpText('after', '\nExample:\n  stackgate images export ./pictures --stack shop --from 2026-11-01')
    .action(
      async (
        folder: string,
        ids: readonly string[],
        options: TimeFilters & { stack?: string },
        command: Command,
      ) => {
        if ((ids.length === 0) === (options.stack === undefined))
          throw new OperatorError('name the images to export, or a stack with --stack, but not both');
        const files = await onStorage(context, command, async (storage) => {
          const written: string[] = [];
          for await (const image of chosenImages(storage, ids, options))
            written.push(await exportImage(image, resolve(folder), storage));
          return written;
        });
        report(context, command, {
          data: { files },
          text: `${files.length} image(s) are in ${resolve(folder)}\n`,
        });
      },
    );
}

async function* chosenImages(
  { pool }: OperatorStorage,
  ids: readonly string[],
  options: TimeFilters & { stack?: string },
): AsyncGenerator<StoredImage> {
  for (const id of ids) yield await showImage(pool, id);
  if (options.stack !== undefined)
    yield* listImages(pool, { ...timeQuery(options.stack, options), limit: EXPORT_ALL });
}

async function collect(images: AsyncIterable<StoredImage>): Promise<readonly StoredImage[]> {
  const all: StoredImage[] = [];
  for await (const image of images) all.push(image);
  return all;
}

function imageView(image: StoredImage) {
  return {
    id: image.id,
    account: image.accountId,
    stack: image.stackId,
    key: image.keyId,
    route: image.route,
    model: image.model,
    prompt: image.prompt,
    size: `${image.width}x${image.height}`,
    steps: image.steps,
    guidance_scale: image.guidanceScale,
    // As a string: scripts would lose digits.
    seed: String(image.seed),
    reference_images: image.references,
    unknown_words: image.unknownWords,
    size_bytes: image.sizeBytes,
    sha256: image.sha256,
    created_at: image.createdAt,
    expires_at: image.expiresAt,
  };
}

const SHOWN_PROMPT = 40;

function listRow(image: StoredImage): Readonly<Record<string, string>> {
  const prompt = cell(image.prompt);
  return {
    id: image.id,
    key: image.keyId,
    created: cell(image.createdAt),
    expires: cell(image.expiresAt),
    size: `${image.width}x${image.height}`,
    prompt: prompt.length > SHOWN_PROMPT ? `${prompt.slice(0, SHOWN_PROMPT - 1)}…` : prompt,
  };
}
