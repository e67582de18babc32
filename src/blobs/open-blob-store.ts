import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { BlobStore } from './blob-store.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { S3BlobStore } from './s3-blob-store.ts';

export function openBlobStore({ blobs, dataDir }: Pick<Config, 'blobs' | 'dataDir'>): Promise<BlobStore> {
  if (blobs !== undefined) return S3BlobStore.open(blobs);
  return DiskBlobStore.open({ directory: join(dataDir, 'blobs') });
}
