import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';

const PREFIX = 'images/';
const SHARD_DIGITS = 2;
const NAME = /^images\/[0-9a-f]{2}\/(img_[0-9a-f]{32})\.png$/;

/** The number of shards that image ids fall into. */
export const SHARDS = 16 ** SHARD_DIGITS;

/** The key of an image's blob. */
export function blobKeyOf(imageId: string): BlobKey {
  const digits = imageId.slice('img_'.length);
  return parseBlobKey(`${PREFIX}${digits.slice(0, SHARD_DIGITS)}/${imageId}.png`);
}

/** The image of a blob; undefined for a blob that is not an image's. */
export function imageIdOf(key: string): string | undefined {
  return NAME.exec(key)?.[1];
}

/** The prefixes of a shard: of image ids and of blob keys. */
export function shardPrefixes(shard: number): { readonly ids: string; readonly blobs: string } {
  const digits = shard.toString(16).padStart(SHARD_DIGITS, '0');
  return { ids: `img_${digits}`, blobs: `${PREFIX}${digits}/` };
}
