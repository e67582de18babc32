import { Fault } from '../faults/fault.ts';
import type { FileService } from '../files/file-service.ts';
import { CallerGallery, type ReadableGallery } from '../images/caller-gallery.ts';
import { pictureFormat } from '../pictures/picture-format.ts';
import type { ToolWork } from './tool.ts';

/** Bytes of a stored thing. */
export interface ResourceBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Reads what the caller's stack has stored. */
export interface ResourceReader {
  images(id: string, work: ToolWork): Promise<ResourceBytes>;
  files(id: string, work: ToolWork): Promise<ResourceBytes>;
}

const PDF_START = '%PDF-';

export function resourceReader(
  gallery: ReadableGallery,
  files: Pick<FileService, 'content'>,
): ResourceReader {
  return {
    images: async (id, { caller, signal }) => {
      const bytes = await new CallerGallery(gallery, caller).readPng(id, signal);
      if (bytes === undefined)
        throw new Fault('image-not-found', 'This stack has no such image, or has it no more.');
      return { bytes, mediaType: 'image/png' };
    },
    files: async (id, work) => {
      const { bytes } = await files.content(work.caller, id, work);
      return { bytes, mediaType: mediaTypeOf(bytes) };
    },
  };
}

/** By its content: names of uploaded files promise nothing. */
function mediaTypeOf(bytes: Buffer): string {
  const format = pictureFormat(bytes);
  if (format !== undefined) return `image/${format}`;
  return bytes.toString('latin1', 0, PDF_START.length) === PDF_START
    ? 'application/pdf'
    : 'application/octet-stream';
}
