import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';

/** Opens the configured blob store. */
export function openBlobStore({ blobs, dataDir }: Config): Promise<BlobStore> {
  if (blobs !== undefined) throw new Error('blobs.url is set, but S3 storage is not part of this version');
  return DiskBlobStore.open({ directory: join(dataDir, 'blobs') });
}
