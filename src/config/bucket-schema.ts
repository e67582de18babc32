import * as z from 'zod';
import { httpUrl, text } from './value-schemas.ts';

const expected = 'a URL such as s3://bucket/prefix';

const BUCKET = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[^\s?#]*)?$/;

/** A path, or bucket and prefix. */
export function pathOrBucket(expected: string) {
  return text(expected).refine((value) => !value.startsWith('s3:') || BUCKET.test(value), expected);
}

/** How a bucket is reached. */
export const bucketShape = {
  url: z
    .string(expected)
    .regex(BUCKET, expected)
    .describe('Bucket and prefix. Example: `s3://bucket/prefix`.'),
  endpoint: httpUrl()
    .optional()
    .describe("Address of the S3 server; absent: Amazon's. Example: `http://127.0.0.1:9000`."),
  region: text().optional().describe('Region of the bucket. Example: `eu-central-1`.'),
  access_key_id: text().optional().describe('Access key; goes with `secret_access_key`.'),
  secret_access_key: text().optional().describe('Secret of the access key.'),
};
