import { z } from 'zod';
import { readGeneration } from '../../images/wire/read-image-request.ts';
import { type McpTool, tool } from '../tool.ts';
import { type PaintingParts, paint, paintingFields, readingContext } from './painting.ts';

export function generateImage(parts: PaintingParts): McpTool {
  return tool({
    name: 'generate_image',
    title: 'Generate an image',
    description: 'Paints an image from a prompt and stores it. Answers with a preview, its id and a link.',
    input: z.object({ prompt: z.string(), ...paintingFields }),
    isReadOnly: false,
    scope: 'images',
    isForReaders: false,
    isOffered: (caller) => parts.images.isOpenTo(caller),
    call: ({ seed, ...input }, work) => {
      // Whole numbers are bigints in the body of a generation.
      const values = { ...input, ...(seed !== undefined && { seed: BigInt(seed) }) };
      return paint(parts, readGeneration(values, readingContext(parts, work)), work);
    },
  });
}
