import { randomBytes } from 'node:crypto';
import { type BlobKey, parseBlobKey } from '../blobs/blob-key.ts';

const SHARD_DIGITS = 2;

/** A new key for the blob of a document's version. */
export function newKnowledgeBlob(): BlobKey {
  const name = randomBytes(16).toString('hex');
  return parseBlobKey(`knowledge/${name.slice(0, SHARD_DIGITS)}/${name}`);
}
