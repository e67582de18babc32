import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { BlobsConfig } from '../config/config.ts';
import { isSkewed } from './s3-errors.ts';

const CONNECT_MS = 3_000;
const REQUEST_MS = 30_000;
const ATTEMPTS = 3;
// S3-compatible servers accept this region.
const DEFAULT_REGION = 'us-east-1';

/** A bucket, and the beginning of all names in it. */
export interface BucketLocation {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

export function locationOf(url: string): BucketLocation {
  const [bucket = '', ...folders] = url.slice('s3://'.length).split('/');
  const prefix = folders.filter((folder) => folder !== '').join('/');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

/**
 * A client of a bucket's server. It learns the server's time from every answer, and repeats a request that was refused for its
 * time, but not if its own clock was wrong and has become right again: that one is repeated here.
 */
export function openClient(
  sdk: typeof import('@aws-sdk/client-s3'),
  config: Omit<BlobsConfig, 'url'>,
): S3Client {
  const client = new sdk.S3Client(clientConfig(config));
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (!isSkewed(error)) throw error;
        return await next(args);
      }
    },
    { step: 'initialize', name: 'askAgainWhenSkewed' },
  );
  return client;
}

function clientConfig({
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: Omit<BlobsConfig, 'url'>): S3ClientConfig {
  return {
    region: region ?? DEFAULT_REGION,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: REQUEST_MS },
    // Other servers than Amazon's have no host name per bucket, and many lack checksum trailers.
    ...(endpoint !== undefined && {
      endpoint,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED' as const,
      responseChecksumValidation: 'WHEN_REQUIRED' as const,
    }),
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && {
        credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
      }),
  };
}
