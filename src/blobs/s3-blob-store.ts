import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BlobsConfig } from '../config/config.ts';
import { type BlobKey, isBlobKey, parseBlobKey, parseKeyPrefix } from './blob-key.ts';
import type { BlobBytes, BlobEntry, BlobStore } from './blob-store.ts';
import { byteChunks } from './byte-chunks.ts';
import { listObjects } from './list-objects.ts';
import { type BucketLocation, locationOf, openClient } from './s3-client.ts';
import { bucketProblem, isMissing, isRefused } from './s3-errors.ts';

type Sdk = typeof import('@aws-sdk/client-s3');

/** How long a put that failed waits to learn, and to undo, what the server kept of it. */
const TIDY_MS = 10_000;
// A single request takes up to 5 GiB; blobs are held in memory while they are sent, so the bound is lower.
const MAXIMUM_BLOB_BYTES = 512 * 1024 * 1024;

/** Blobs as objects in a bucket. The server replaces objects atomically, and its response means that they are durable. */
export class S3BlobStore implements BlobStore {
  readonly #sdk: Sdk;
  readonly #client: S3Client;
  readonly #bucket: string;
  /** Empty, or ends with a slash. */
  readonly #prefix: string;
  readonly #tidyMs: number;

  private constructor(
    sdk: Sdk,
    client: S3Client,
    { bucket, prefix, tidyMs }: BucketLocation & { tidyMs: number },
  ) {
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#tidyMs = tidyMs;
  }

  /** Sends no request yet. */
  static async open(config: BlobsConfig, { tidyMs = TIDY_MS } = {}): Promise<S3BlobStore> {
    // Imported lazily: it takes a fifth of a second and about 20 MB.
    const sdk = await import('@aws-sdk/client-s3');
    return new S3BlobStore(sdk, openClient(sdk, config), {
      ...locationOf(config.url),
      tidyMs,
    });
  }

  async put(key: BlobKey, bytes: BlobBytes, signal: AbortSignal): Promise<void> {
    const name = this.#nameOf(key);
    await this.#putObject(name, await collect(bytes, signal), signal);
  }

  async get(key: BlobKey, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.#getObject(this.#nameOf(key), signal);
  }

  async delete(key: BlobKey, signal: AbortSignal): Promise<boolean> {
    const name = this.#nameOf(key);
    const wasThere = (await this.#head(name, signal)) !== undefined;
    // Even if it seems to be missing: a put may just have finished.
    await this.#deleteObject(name, signal);
    return wasThere;
  }

  list(prefix: string, signal: AbortSignal): AsyncIterable<BlobEntry> {
    return this.#list(parseKeyPrefix(prefix), signal);
  }

  async check(signal: AbortSignal): Promise<void> {
    const probe = Buffer.from('probe');
    // Not a valid blob name, so no list shows it.
    const name = `${this.#prefix}.probe-${randomUUID()}`;
    await this.#putObject(name, probe, signal);
    const read = await this.#getObject(name, signal);
    await this.#deleteObject(name, signal);
    if (read === undefined || !probe.equals(read)) {
      throw new Error(`the bucket "${this.#bucket}" does not give back what was written to it`);
    }
    await this.#objects('', signal).next();
  }

  #nameOf(key: BlobKey): string {
    return this.#prefix + parseBlobKey(key);
  }

  async #putObject(name: string, body: Uint8Array, signal: AbortSignal): Promise<void> {
    const mark = randomUUID();
    const input = { Bucket: this.#bucket, Key: name, Body: body, Metadata: { put: mark } };
    try {
      await this.#asking(signal, () =>
        this.#client.send(new this.#sdk.PutObjectCommand(input), { abortSignal: signal }),
      );
    } catch (error) {
      if (!isRefused(error)) await this.#takeBack(name, mark);
      throw error;
    }
  }

  /** The server may have stored the bytes although its response got lost; an object that was there before stays. */
  async #takeBack(name: string, mark: string): Promise<void> {
    const patience = AbortSignal.timeout(this.#tidyMs);
    // A server that cannot be reached has most likely stored nothing.
    const isOurs = await this.#head(name, patience).then(
      (found) => found === mark,
      () => false,
    );
    if (isOurs) await this.#deleteObject(name, patience).catch(() => {});
  }

  async #getObject(name: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.#asking(signal, async () => {
      const command = new this.#sdk.GetObjectCommand({ Bucket: this.#bucket, Key: name });
      const found = await this.#client.send(command, { abortSignal: signal }).catch(whenMissing);
      return await found?.Body?.transformToByteArray();
    });
  }

  async #deleteObject(name: string, signal: AbortSignal): Promise<void> {
    const command = new this.#sdk.DeleteObjectCommand({ Bucket: this.#bucket, Key: name });
    await this.#asking(signal, () => this.#client.send(command, { abortSignal: signal }).catch(whenMissing));
  }

  /** The mark of the put that created the object, '' without a mark; undefined if there is no object. */
  async #head(name: string, signal: AbortSignal): Promise<string | undefined> {
    const command = new this.#sdk.HeadObjectCommand({ Bucket: this.#bucket, Key: name });
    const found = await this.#asking(signal, () =>
      this.#client.send(command, { abortSignal: signal }).catch(whenMissing),
    );
    return found && (found.Metadata?.put ?? '');
  }

  async *#list(prefix: string, signal: AbortSignal): AsyncGenerator<BlobEntry> {
    for await (const { Key = '', Size = 0, LastModified = new Date(0) } of this.#objects(prefix, signal)) {
      signal.throwIfAborted();
      const key = Key.slice(this.#prefix.length);
      if (isBlobKey(key)) yield { key, sizeBytes: Size, modifiedAt: LastModified };
    }
  }

  #objects(prefix: string, signal: AbortSignal) {
    return listObjects({
      sdk: this.#sdk,
      location: { bucket: this.#bucket, prefix: this.#prefix + prefix },
      send: (command) => this.#asking(signal, () => this.#client.send(command, { abortSignal: signal })),
    });
  }

  async #asking<Result>(signal: AbortSignal, ask: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      // On abort the client throws its own error.
      signal.throwIfAborted();
      throw bucketProblem(error, this.#bucket);
    }
  }
}

function whenMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

async function collect(bytes: BlobBytes, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  // Copied at once: the caller may reuse its buffer.
  for await (const chunk of byteChunks(bytes, signal)) {
    total += chunk.byteLength;
    if (total > MAXIMUM_BLOB_BYTES) throw new RangeError(`a blob holds at most ${MAXIMUM_BLOB_BYTES} bytes`);
    chunks.push(bytes instanceof Uint8Array ? chunk : Uint8Array.from(chunk));
  }
  return Buffer.concat(chunks);
}
