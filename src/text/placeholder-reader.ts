import { describePicture } from '../pictures/describe-picture.ts';
import type { AttachmentReader } from './attachment-reader.ts';
import type { AttachedPart } from './conversation.ts';

// Enough for every header that tells a picture's size; the rest is never decoded.
const HEAD_CHARACTERS = 256 * 1024;

/** Says what was attached, such as `[image: PNG 800×600]`, without reading it. */
export const placeholderReader: AttachmentReader = {
  read: async (part) => `[${part.type}: ${describe(part)}]`,
};

function describe(part: AttachedPart): string {
  const head = Buffer.from(part.base64.slice(0, HEAD_CHARACTERS), 'base64');
  const named = part.name === undefined ? '' : `${part.name}, `;
  if (head.subarray(0, 5).toString('latin1') === '%PDF-') return `${named}PDF`;
  return named + (describePicture(head) ?? 'of an unknown kind');
}
