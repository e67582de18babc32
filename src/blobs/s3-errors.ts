import { StorageFull } from './storage-full.ts';

/** The bucket cannot be used; the message says what to check. */
class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable';
}

const FULL_CODES = ['XMinioStorageFull', 'QuotaExceeded', 'QuotaExceededException', 'InsufficientCapacity'];
const INSUFFICIENT_STORAGE = 507;
const remedies: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: make it, or correct blobs.url',
  AccessDenied: 'access is denied: give the access key the right to list, read, write and delete',
  InvalidAccessKeyId: 'the access key is unknown: correct blobs.access_key_id',
  SignatureDoesNotMatch: 'the signature is refused: correct blobs.secret_access_key',
  PermanentRedirect: 'the bucket is in another region: set blobs.region',
  CredentialsProviderError:
    'there are no credentials: set blobs.access_key_id and blobs.secret_access_key, or give the machine a role',
  TimeoutError: 'the server does not answer: check blobs.endpoint',
};

/** Whether the server has no such key. */
export function isMissing(error: unknown): boolean {
  return nameOf(error) === 'NoSuchKey' || (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket');
}

/** Whether the object is not the one that was asked for any more. */
export function isReplaced(error: unknown): boolean {
  return statusOf(error) === 412;
}

/** Whether the server refused a request because its time is too far from the server's. */
export function isSkewed(error: unknown): boolean {
  return nameOf(error) === 'RequestTimeTooSkewed';
}

/** Whether the server refused the request, so that it had no effect. */
export function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? (error instanceof Error ? statusOf(error.cause) : undefined);
  return status !== undefined && status >= 400 && status < 500;
}

/** Maps a client error: no space, a bucket problem, or the error itself. `section` has the settings of the bucket. */
export function bucketProblem(error: unknown, bucket: string, section = 'blobs'): unknown {
  if (FULL_CODES.includes(nameOf(error)) || statusOf(error) === INSUFFICIENT_STORAGE) {
    return new StorageFull(`the bucket "${bucket}" is full: free some space or move it`, { cause: error });
  }
  const remedy = remedies[nameOf(error)];
  if (remedy === undefined) return error;
  const advice = remedy.replaceAll('blobs.', `${section}.`);
  return new BucketUnusable(`the bucket "${bucket}" cannot be used: ${advice}`, { cause: error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
