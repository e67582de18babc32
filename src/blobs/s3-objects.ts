import type { S3Client } from '@aws-sdk/client-s3';
import type { BlobsConfig } from '../config/config.ts';
import { listObjects } from './list-objects.ts';
import { type BucketLocation, locationOf, openClient } from './s3-client.ts';
import { bucketProblem, isMissing, isReplaced } from './s3-errors.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

/** An object under the prefix, as a listing shows it. */
export interface BucketObject {
  /** Without the prefix. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Changes with its content. */
  readonly etag: string;
}

/** Objects of others under a prefix of a bucket, which are only read. */
export class S3Objects {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #location: BucketLocation;
  /** The settings that an error names. */
  readonly #section: string;

  private constructor(sdk: Sdk, client: S3Client, options: { location: BucketLocation; section: string }) {
    this.#sdk = sdk;
    this.#client = client;
    this.#location = options.location;
    this.#section = options.section;
  }

  /** Sends no request yet. */
  static async open(config: BlobsConfig, section: string): Promise<S3Objects> {
    const sdk = await import('@aws-sdk/client-s3');
    const location = locationOf(config.url);
    return new S3Objects(sdk, openClient(sdk, config), { location, section });
  }

  /** All objects by name. */
  async *list(signal: AbortSignal): AsyncGenerator<BucketObject> {
    const objects = listObjects({
      sdk: this.#sdk,
      location: this.#location,
      send: (command) => this.#asking(signal, this.#client.send(command, { abortSignal: signal })),
    });
    for await (const { Key = '', Size = 0, ETag = '' } of objects)
      yield { name: Key.slice(this.#location.prefix.length), sizeBytes: Size, etag: ETag };
  }

  /** The bytes of an object; undefined if it is gone or was replaced since it was listed. */
  async read({ name, sizeBytes, etag }: BucketObject, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { bucket, prefix } = this.#location;
    const command = new this.#sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + name, IfMatch: etag });
    const found = await this.#asking(
      signal,
      this.#client.send(command, { abortSignal: signal }).catch((error: unknown) => {
        if (!isMissing(error) && !isReplaced(error)) throw error;
      }),
    );
    if (found?.Body === undefined) return undefined;
    // Not all servers know `If-Match`. A body that is not read is cut off.
    if (found.ContentLength !== sizeBytes || unquoted(found.ETag) !== unquoted(etag)) {
      await found.Body.transformToWebStream().cancel();
      return undefined;
    }
    return await this.#asking(signal, found.Body.transformToByteArray());
  }

  async #asking<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      signal.throwIfAborted();
      throw bucketProblem(error, this.#location.bucket, this.#section);
    }
  }
}

/** Some servers omit the quotes in listings. */
function unquoted(etag = ''): string {
  return etag.replaceAll('"', '');
}
