import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';

const PREFIX = 'images/';
const SHARD_DIGITS = 2;
const NAME = /^images\/[0-9a-f]{2}\/(img_[0-9a-f]{32})\.png$/;

/** How many parts the names of images fall into. */
export const SHARDS = 16 ** SHARD_DIGITS;

/** Where the bytes of an image are. */
export function blobKeyOf(imageId: string): BlobKey {
  const digits = imageId.slice('img_'.length);
  return parseBlobKey(`${PREFIX}${digits.slice(0, SHARD_DIGITS)}/${imageId}.png`);
}

/** Which image the bytes under a key belong to; undefined for a key of something else. */
export function imageIdOf(key: string): string | undefined {
  return NAME.exec(key)?.[1];
}

/** What the names of a part start with: those of the images and those of their blobs. */
export function shardPrefixes(shard: number): { readonly ids: string; readonly blobs: string } {
  const digits = shard.toString(16).padStart(SHARD_DIGITS, '0');
  return { ids: `img_${digits}`, blobs: `${PREFIX}${digits}/` };
}
