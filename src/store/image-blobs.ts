import type { BlobKey } from '../blobs/blob-key.ts';
import { blobNaming } from './blob-naming.ts';

/** The names of images' blobs. */
export const imageBlobs = blobNaming({ folder: 'images', idStart: 'img_', ending: '.png' });

/** The key of an image's blob. */
export function blobKeyOf(imageId: string): BlobKey {
  return imageBlobs.keyOf(imageId);
}
