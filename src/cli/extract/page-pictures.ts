import { encodePng } from '../../pictures/encode-png.ts';
import { pictureFormat } from '../../pictures/picture-format.ts';
import type { SentFile } from './extraction-call.ts';

/** A page to look at; undefined bytes if it cannot be drawn. */
export interface PagePicture {
  /** From 1. */
  readonly file: number;
  readonly fileName: string;
  /** From 1. */
  readonly page: number;
  readonly mediaType: string;
  readonly bytes: Buffer | undefined;
}

const STACK = 'command';

/** Pictures of all pages: those of PDFs drawn, images as they are. */
export async function pagePictures(
  files: readonly SentFile[],
  route: 'documents' | 'images',
): Promise<readonly PagePicture[]> {
  return route === 'images' ? files.map(imagePage) : await drawnPages(files);
}

function imagePage({ name, bytes }: SentFile, index: number): PagePicture {
  const mediaType = `image/${pictureFormat(bytes) ?? 'png'}`;
  return { file: index + 1, fileName: name, page: 1, mediaType, bytes };
}

/** Imported lazily: no other command needs it. */
async function drawnPages(files: readonly SentFile[]): Promise<readonly PagePicture[]> {
  const { defaultPdfWorkers, PdfWorkers } = await import('../../reading/pdf/pdf-workers.ts');
  const workers = new PdfWorkers({ ...defaultPdfWorkers, workers: 1 });
  const work = { stackId: STACK, signal: new AbortController().signal };
  const drawn: PagePicture[] = [];
  try {
    for (const [index, { name, bytes }] of files.entries()) {
      const { pages } = await workers.inspect(bytes, work);
      for (let page = 0; page < pages; page += 1) {
        const raster = await workers.draw(bytes, page, work);
        const picture = raster === undefined ? undefined : encodePng(raster);
        drawn.push({
          file: index + 1,
          fileName: name,
          page: page + 1,
          mediaType: 'image/png',
          bytes: picture,
        });
      }
    }
  } finally {
    await workers.stop(work.signal);
  }
  return drawn;
}
