import sharp from 'sharp';
import { serveRequests } from '../../supervision/serve-requests.ts';
import type { OcrPicture } from '../ocr-engine.ts';
import type { PageText } from '../page-text.ts';
import { decodeImage, withoutAlpha } from './decode-image.ts';
import type { OcrModelFiles } from './ocr-models.ts';
import { OcrPipeline } from './ocr-pipeline.ts';

// A child works at one picture at a time and shares the machine with its siblings.
sharp.concurrency(1);
sharp.cache(false);

await serveRequests(async () => {
  const pipeline = await OcrPipeline.open(modelFiles(process.argv[2]));
  return {
    async handle(payload: unknown, signal: AbortSignal): Promise<PageText> {
      // Only the parent, which is this program too, sends here.
      const picture = payload as OcrPicture;
      const raster =
        picture.kind === 'encoded' ? await decodeImage(picture.bytes) : await withoutAlpha(picture.raster);
      signal.throwIfAborted();
      return pipeline.read(raster, signal);
    },
  };
});

function modelFiles(argument: string | undefined): OcrModelFiles {
  return JSON.parse(argument ?? '{}') as OcrModelFiles;
}
