import sharp from 'sharp';
import { serveRequests } from '../../supervision/serve-requests.ts';
import { parseOcrPicture } from '../ocr-engine.ts';
import type { PageText } from '../page-text.ts';
import { decodeImage, withoutAlpha } from './decode-image.ts';
import { ocrFiles } from './ocr-files.ts';
import type { OcrModelFiles } from './ocr-models.ts';
import { OcrPipeline } from './ocr-pipeline.ts';

// A child reads one picture at a time and shares the machine with its siblings.
sharp.concurrency(1);
sharp.cache(false);

await serveRequests(async () => {
  const pipeline = await OcrPipeline.open(modelFiles(process.argv[2]));
  return {
    async handle(payload: unknown, signal: AbortSignal): Promise<PageText> {
      const picture = parseOcrPicture(payload);
      if (!picture) throw new TypeError('the parent sent no picture');
      const raster =
        picture.kind === 'encoded' ? await decodeImage(picture.bytes) : await withoutAlpha(picture.raster);
      signal.throwIfAborted();
      return pipeline.read(raster, signal);
    },
  };
});

function modelFiles(argument: string | undefined): OcrModelFiles {
  const given: unknown = JSON.parse(argument ?? '{}');
  const files = ocrFiles((role) => pathIn(given, role));
  if (!files) throw new TypeError('the parent named no files');
  return files;
}

function pathIn(files: unknown, role: string): string | undefined {
  const path = typeof files === 'object' && files !== null ? Reflect.get(files, role) : undefined;
  return typeof path === 'string' ? path : undefined;
}
