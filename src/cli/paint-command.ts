import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ImageOrder, Painting } from '../images/image-engine.ts';
import { IMAGE_SIZES } from '../images/image-sizes.ts';
import { type CommandContext, type GlobalOptions, report } from './command-context.ts';
import { ProgressLine } from './progress-line.ts';

interface PaintOptions extends GlobalOptions {
  readonly size: string;
  readonly steps: number;
  readonly guidanceScale: number;
  readonly seed?: bigint;
  readonly output: string;
}

const MAX_SEED = 2n ** 64n - 1n;

/** `stackgate images paint …`: paints with the embedded painter, without a server. */
export function addPaintCommand(images: Command, context: CommandContext): void {
  images
    .command('paint')
    .description('Paint a picture with the embedded painter; needs no server')
    .argument('<prompt>', 'what to paint')
    .addOption(new Option('--size <size>', 'width and height').choices(IMAGE_SIZES).default('1024x1024'))
    .option('--steps <number>', '1 to 8', numberIn(1, 8, Number.isInteger), 4)
    .option('--guidance-scale <number>', '0 to 20', numberIn(0, 20, Number.isFinite), 1)
    .option('--seed <integer>', '0 to 2^64-1; absent: drawn', readSeed)
    .requiredOption('-o, --output <file>', 'the PNG file to write')
    .addHelpText(
      'after',
      '\nExample:\n  stackgate images paint "a red apple" --size 1536x1024 --seed 7 -o apple.png',
    )
    .action(async (prompt: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<PaintOptions>();
      const order = await orderOf(prompt, options);
      const painting = await paint(context, order);
      await writeFile(options.output, painting.bytes);
      report(context, command, described(order, painting, options.output));
    });
}

async function orderOf(prompt: string, options: PaintOptions): Promise<ImageOrder> {
  const [width = 0, height = 0] = options.size.split('x').map(Number);
  const { randomSeed } = await import('../images/random-seed.ts');
  const { steps, guidanceScale, seed = randomSeed() } = options;
  return { prompt, width, height, steps, guidanceScale, seed, references: [] };
}

/** Imported lazily: no other command needs the painter. */
async function paint({ terminal }: CommandContext, order: ImageOrder): Promise<Painting> {
  const { DiffusionEngine } = await import('../images/engines/diffusion/diffusion-engine.ts');
  const { createLog } = await import('../telemetry/log.ts');
  const config = { kind: 'diffusion', threads: 1, idlePauseMinutes: 0 } as const;
  const engine = new DiffusionEngine({ config, log: createLog('error', { write: terminal.err }) });
  const never = new AbortController().signal;
  using line = new ProgressLine(terminal);
  try {
    return await engine.paint(order, never, (step) => {
      if (step < order.steps) line.show(`painting: step ${step + 1} of ${order.steps}`);
      else line.show('enlarging');
    });
  } finally {
    await engine.close(never);
  }
}

function described({ seed, steps, width, height }: ImageOrder, painting: Painting, file: string) {
  const { unknownWords = [], paintMs } = painting;
  const data = { file, width, height, steps, seed: String(seed), paintMs: Math.round(paintMs), unknownWords };
  const unknown = unknownWords.length === 0 ? '' : `; words it does not know: ${unknownWords.join(', ')}`;
  return { data, text: `${file}: ${width}x${height}, seed ${seed}${unknown}\n` };
}

function numberIn(least: number, most: number, isAccepted: (value: number) => boolean) {
  return (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (isAccepted(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be from ${least} to ${most}.`);
  };
}

function readSeed(text: string): bigint {
  if (/^\d{1,20}$/.test(text) && BigInt(text) <= MAX_SEED) return BigInt(text);
  throw new InvalidArgumentError('It must be an integer from 0 to 18446744073709551615.');
}
