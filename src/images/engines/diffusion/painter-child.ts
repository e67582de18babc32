import sharp from 'sharp';
import { serveRequests } from '../../../supervision/serve-requests.ts';
import { canvasOf, Painter, type Size } from './painter.ts';
import { type PaintAnswer, paintRequestSchema } from './painter-messages.ts';
import { readPainterWeights } from './painter-weights.ts';

// The painter's child process: a crash or hang affects nothing else.
const [folder = '', threads = '1'] = process.argv.slice(2);
// Level 6 with this filter is within 2 % of the slower levels, in a third of their time.
const png = { compressionLevel: 6, adaptiveFiltering: false } as const;

await serveRequests(async () => {
  sharp.concurrency(Number(threads));
  sharp.cache(false);
  const painter = await Painter.load(await readPainterWeights(folder), Number(threads));
  return { handle: (payload, signal) => paint(painter, payload, signal) };
});

/** Yields each step as it starts, and returns the encoded picture. */
async function* paint(
  painter: Painter,
  payload: unknown,
  signal: AbortSignal,
): AsyncGenerator<readonly number[], PaintAnswer> {
  const request = paintRequestSchema.parse(payload);
  const { width, height } = request;
  const started = performance.now();
  const references: Float32Array[] = [];
  for (const bytes of request.references) references.push(await readReference(bytes, canvasOf(request)));
  const steps = painter.paint({ ...request, references });
  for (;;) {
    signal.throwIfAborted();
    const step = await steps.next();
    if (!step.done) {
      yield [step.value];
      continue;
    }
    const painted = performance.now();
    const { rgb, unknownWords } = step.value;
    const bytes = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png(png)
      .toBuffer();
    return { bytes, unknownWords, paintMs: painted - started, encodeMs: performance.now() - painted };
  }
}

/** Decodes a reference at canvas size; other aspect ratios are padded with white. */
async function readReference(bytes: Uint8Array, { width, height }: Size): Promise<Float32Array> {
  const pixels = await sharp(bytes)
    .flatten({ background: '#fff' })
    .resize(width, height, { fit: 'contain', background: '#fff', kernel: 'lanczos3' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  return Float32Array.from(pixels, (byte) => byte / 127.5 - 1);
}
