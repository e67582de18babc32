import { randomBytes } from 'node:crypto';

const PATTERN = /^img_[0-9a-f]{32}$/;

/** A new name for an image, which nobody can guess. */
export function newImageId(): string {
  return `img_${randomBytes(16).toString('hex')}`;
}

/** Whether the text could be the name of an image. */
export function isImageId(text: string): boolean {
  return PATTERN.test(text);
}
