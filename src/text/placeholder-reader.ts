import { describePicture } from '../pictures/describe-picture.ts';
import type { AttachmentReader } from './attachment-reader.ts';
import type { AttachedPart } from './conversation.ts';

// Enough for every image header that holds a size; the rest is never decoded.
const HEAD_CHARACTERS = 256 * 1024;

/** Describes an attachment without reading it, such as `[image: PNG 800×600]`. */
export const placeholderReader: AttachmentReader = {
  read: async (part) => `[${part.type}: ${describe(part)}]`,
};

function describe(part: AttachedPart): string {
  const head = Buffer.from(part.base64.slice(0, HEAD_CHARACTERS), 'base64');
  const named = part.name === undefined ? '' : `${part.name}, `;
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return `${named}PDF`;
  return named + (describePicture(head) ?? 'of an unknown kind');
}
