import type { S3Client } from '@aws-sdk/client-s3';
import type { BlobsConfig } from '../config/config.ts';
import { listObjects } from './list-objects.ts';
import { type BucketLocation, locationOf, openClient } from './s3-client.ts';
import { bucketProblem, isMissing } from './s3-errors.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

/** S3 takes at most 10,000 parts: 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

/** Large files in a bucket, which are sent and received piece by piece. */
export class S3Files {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #location: BucketLocation;
  readonly #partBytes: number;

  private constructor(sdk: Sdk, client: S3Client, options: { location: BucketLocation; partBytes: number }) {
    this.#sdk = sdk;
    this.#client = client;
    this.#location = options.location;
    this.#partBytes = options.partBytes;
  }

  /** Sends no request yet. */
  static async open(config: BlobsConfig, { partBytes = PART_BYTES } = {}): Promise<S3Files> {
    const sdk = await import('@aws-sdk/client-s3');
    const location = locationOf(config.url);
    return new S3Files(sdk, openClient(sdk, config), { location, partBytes });
  }

  /** Stores a file, which is there only when it is complete. */
  async put(name: string, pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const upload = { ...this.#at(name), UploadId: undefined as string | undefined };
    const parts: { ETag: string | undefined; PartNumber: number }[] = [];
    const abortSignal = signal;
    try {
      for await (const { bytes, isLast } of this.#parts(pieces)) {
        if (isLast && parts.length === 0) {
          await this.#client.send(new this.#sdk.PutObjectCommand({ ...this.#at(name), Body: bytes }), {
            abortSignal,
          });
          return;
        }
        upload.UploadId ??= (
          await this.#client.send(new this.#sdk.CreateMultipartUploadCommand(this.#at(name)), { abortSignal })
        ).UploadId;
        const PartNumber = parts.length + 1;
        const { ETag } = await this.#client.send(
          new this.#sdk.UploadPartCommand({ ...upload, PartNumber, Body: bytes }),
          { abortSignal },
        );
        parts.push({ ETag, PartNumber });
      }
      const MultipartUpload = { Parts: parts };
      await this.#client.send(new this.#sdk.CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), {
        abortSignal,
      });
    } catch (error) {
      if (upload.UploadId !== undefined)
        await this.#client.send(new this.#sdk.AbortMultipartUploadCommand(upload)).catch(() => {});
      throw bucketProblem(error, this.#location.bucket);
    }
  }

  /** The bytes of a file; undefined if there is none. */
  async get(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    try {
      const command = new this.#sdk.GetObjectCommand(this.#at(name));
      const { Body } = await this.#client.send(command, { abortSignal: signal });
      return Body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw bucketProblem(error, this.#location.bucket);
    }
  }

  async delete(name: string, signal: AbortSignal): Promise<void> {
    await this.#client.send(new this.#sdk.DeleteObjectCommand(this.#at(name)), { abortSignal: signal });
  }

  /** The names of all files directly under the prefix. */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    const objects = listObjects({
      sdk: this.#sdk,
      location: this.#location,
      send: (command) => this.#client.send(command, { abortSignal: signal }),
    });
    const names: string[] = [];
    for await (const { Key = '' } of objects) names.push(Key.slice(this.#location.prefix.length));
    return names.filter((name) => name !== '' && !name.includes('/'));
  }

  #at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.prefix + name };
  }

  async *#parts(
    pieces: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    for await (const piece of pieces) {
      if (heldBytes >= this.#partBytes) {
        yield { bytes: Buffer.concat(held), isLast: false };
        held = [];
        heldBytes = 0;
      }
      held.push(piece);
      heldBytes += piece.length;
    }
    yield { bytes: Buffer.concat(held), isLast: true };
  }
}
