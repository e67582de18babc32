declare const brand: unique symbol;

/** A validated blob name: segments of `a-z 0-9 . _ -`, separated by `/`, none starting with a dot. */
export type BlobKey = string & { readonly [brand]: 'BlobKey' };

/** S3 limits keys to 1,024 bytes; half of that leaves room for a bucket prefix. */
export const MAXIMUM_KEY_LENGTH = 512;
/** File names are limited to 255 bytes; the rest is for marks a store adds. */
export const MAXIMUM_SEGMENT_LENGTH = 200;

// A leading dot is rejected: that covers `.`, `..` and a store's own folders.
const SEGMENT = /^[a-z0-9_-][a-z0-9._-]*$/;
const PREFIX = /^[a-z0-9._/-]*$/;

/** Validates a key; throws a RangeError. */
export function parseBlobKey(text: string): BlobKey {
  if (!isBlobKey(text)) throw new RangeError(describeBadKey(text));
  return text;
}

export function isBlobKey(text: string): text is BlobKey {
  return text.length <= MAXIMUM_KEY_LENGTH && text.split('/').every(isSegment);
}

/** Validates a key prefix; throws a RangeError. */
export function parseKeyPrefix(text: string): string {
  if (text.length <= MAXIMUM_KEY_LENGTH && PREFIX.test(text)) return text;
  throw new RangeError(describeBadKey(text));
}

function isSegment(segment: string): boolean {
  return segment.length <= MAXIMUM_SEGMENT_LENGTH && SEGMENT.test(segment);
}

function describeBadKey(text: string): string {
  const shown = JSON.stringify(text.slice(0, 80));
  return `a blob key is segments of a-z, 0-9, '.', '_' and '-' separated by '/', at most ${MAXIMUM_KEY_LENGTH} characters, got ${shown}`;
}
