import { z } from 'zod';
import type { FileLinks } from '../../files/file-links.ts';
import type { ImageRequest } from '../../images/image-request.ts';
import type { ImageService } from '../../images/image-service.ts';
import { IMAGE_SIZES } from '../../images/image-sizes.ts';
import type { ReadingContext } from '../../images/wire/read-image-request.ts';
import type { PictureProcess } from '../../pictures/picture-process.ts';
import { signedLink } from '../signed-links.ts';
import type { McpToolResult, ToolWork } from '../tool.ts';

export interface PaintingParts {
  readonly images: Pick<ImageService, 'paint' | 'engineOf' | 'isOpenTo'>;
  readonly pictures: Pick<PictureProcess, 'preview'>;
  readonly links: Pick<FileLinks, 'sign'>;
}

/** The parameters that painting and editing share. */
export const paintingFields = {
  size: z.enum(IMAGE_SIZES).optional(),
  steps: z.int().optional(),
  guidance_scale: z.number().optional(),
  seed: z.int().optional().describe('The same seed and prompt give the same image.'),
};

export function readingContext(
  { images }: Pick<PaintingParts, 'images'>,
  { caller }: ToolWork,
): ReadingContext {
  return { keyPrompt: caller.key.prompt, engine: images.engineOf(caller) };
}

/** Paints, and answers with a preview and a link to the image itself. */
export async function paint(
  { images, pictures, links }: PaintingParts,
  request: ImageRequest,
  work: ToolWork,
): Promise<McpToolResult> {
  const { caller, signal } = work;
  const { id, order, png, unknownWords } = await images.paint(caller, request, work);
  const [preview, { url }] = await Promise.all([
    pictures.preview(png, { stackId: caller.stack.id, signal }),
    signedLink(links, { method: 'GET', id }, work),
  ]);
  const unknown =
    unknownWords === undefined || unknownWords.length === 0
      ? ''
      : ` Words of the prompt that the model does not know: ${unknownWords.join(', ')}.`;
  const text = `Image ${id}, ${order.width}x${order.height}, seed ${order.seed}. PNG, for one hour: ${url}${unknown}`;
  const link = { url, name: `${id}.png`, mediaType: 'image/png', sizeBytes: png.byteLength };
  return { text, picture: { bytes: preview.bytes, mediaType: preview.mediaType }, link };
}
