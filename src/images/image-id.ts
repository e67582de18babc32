import { randomBytes } from 'node:crypto';

const PATTERN = /^img_[0-9a-f]{32}$/;

/** A new, unguessable image id. */
export function newImageId(): string {
  return `img_${randomBytes(16).toString('hex')}`;
}

/** Whether the text has the form of an image id. */
export function isImageId(text: string): boolean {
  return PATTERN.test(text);
}
