import { type BucketObject, S3Objects } from '../../blobs/s3-objects.ts';
import type { BlobsConfig } from '../../config/config.ts';
import { MAX_STACK_DOCUMENTS } from '../knowledge-store.ts';
import { isPassedOver } from './is-passed-over.ts';
import type { FolderFile, FolderListing, KnowledgeFolder } from './knowledge-folder.ts';

/** Objects looked at in all. */
const MAX_OBJECTS = 100_000;

/** The objects under a prefix of a bucket. They are there when they are complete. */
export class BucketFolder implements KnowledgeFolder {
  readonly #objects: S3Objects;

  private constructor(objects: S3Objects) {
    this.#objects = objects;
  }

  /** Sends no request yet. */
  static async open(bucket: BlobsConfig): Promise<BucketFolder> {
    return new BucketFolder(await S3Objects.open(bucket, 'knowledge'));
  }

  async list(signal: AbortSignal): Promise<FolderListing> {
    const files: FolderFile[] = [];
    let isCut = false;
    let count = 0;
    for await (const object of this.#objects.list(signal)) {
      count += 1;
      isCut = files.length === MAX_STACK_DOCUMENTS || count > MAX_OBJECTS;
      if (isCut) break;
      if (!object.name.split('/').some(isPassedOver)) files.push(fileOf(object));
    }
    return { files, unread: new Map(), isCut };
  }

  async read({ path, sizeBytes, mark }: FolderFile, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.#objects.read({ name: path, sizeBytes, etag: mark }, signal);
  }
}

function fileOf({ name, sizeBytes, etag }: BucketObject): FolderFile {
  return { path: name, sizeBytes, mark: etag, isWaiting: false };
}
