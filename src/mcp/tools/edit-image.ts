import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { isFileId } from '../../files/file-id.ts';
import type { FileService } from '../../files/file-service.ts';
import { CallerGallery, type ReadableGallery } from '../../images/caller-gallery.ts';
import { readEdit } from '../../images/wire/read-image-request.ts';
import type { FormFile } from '../../lib/form.ts';
import { type McpTool, type ToolWork, tool } from '../tool.ts';
import { toolForm } from '../tool-form.ts';
import { type PaintingParts, paint, paintingFields, readingContext } from './painting.ts';

export interface EditImageParts extends PaintingParts {
  readonly gallery: ReadableGallery;
  readonly files: Pick<FileService, 'content'>;
}

export function editImage(parts: EditImageParts): McpTool {
  return tool({
    name: 'edit_image',
    title: 'Edit images',
    description:
      'Paints a new image from a prompt and 1 to 4 images, and stores it. Answers like generate_image.',
    input: z.object({
      prompt: z.string().describe('What to change.'),
      images: z
        .array(z.string())
        .min(1)
        .max(4)
        .describe('Ids of generated images (img_…) or of uploaded files (file_…).'),
      ...paintingFields,
    }),
    isReadOnly: false,
    scope: 'images',
    isForReaders: false,
    isOffered: (caller) => parts.images.isOpenTo(caller),
    call: async ({ images, ...fields }, work) => {
      const files: FormFile[] = [];
      for (const id of images)
        files.push({ field: 'image', fileName: id, bytes: await read(parts, id, work) });
      const form = toolForm(fields, files);
      return await paint(parts, readEdit(form, readingContext(parts, work)), work);
    },
  });
}

async function read({ gallery, files }: EditImageParts, id: string, work: ToolWork): Promise<Buffer> {
  if (isFileId(id)) return (await files.content(work.caller, id, work)).bytes;
  const png = await new CallerGallery(gallery, work.caller).readPng(id, work.signal);
  if (png === undefined)
    throw new Fault('image-not-found', `This stack has no image "${id.slice(0, 50)}", or has it no more.`);
  return Buffer.from(png.buffer, png.byteOffset, png.byteLength);
}
