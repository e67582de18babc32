import { posix } from 'node:path';
import { camelKeys } from './camel-keys.ts';
import type { BlobsConfig, KnowledgeSource } from './config.ts';
import type { FileValues } from './file-schema.ts';
import { Secret } from './secret.ts';

type FileSource = FileValues['stacks'][number]['knowledge'][number];

export interface SourceSurroundings {
  readonly blobs: BlobsConfig | undefined;
  readonly resolvePath: (path: string) => string;
}

/** Converts an entry of a stack's knowledge. */
export function resolveSource(
  entry: FileSource,
  { blobs, resolvePath }: SourceSurroundings,
): KnowledgeSource {
  if (typeof entry !== 'string') return bucketSource(resolveBucket(entry), blobs);
  if (entry.startsWith('s3://')) return bucketSource({ url: entry }, blobs);
  const path = resolvePath(entry);
  return { kind: 'path', source: withoutSlash(posix.normalize(entry)), path, isFolder: entry.endsWith('/') };
}

/** Converts the access to a bucket. */
export function resolveBucket({ secret_access_key, ...rest }: NonNullable<FileValues['blobs']>): BlobsConfig {
  const bucket = camelKeys(rest);
  return secret_access_key === undefined
    ? bucket
    : { ...bucket, secretAccessKey: new Secret(secret_access_key) };
}

/** As for backups: a bucket without settings of its own has those of `blobs`. */
function bucketSource(bucket: BlobsConfig, blobs: BlobsConfig | undefined): KnowledgeSource {
  const hasOwn = bucket.endpoint !== undefined || bucket.accessKeyId !== undefined;
  const url = withoutSlash(bucket.url);
  return { kind: 'bucket', source: url, bucket: { ...(hasOwn ? bucket : { ...blobs, ...bucket }), url } };
}

function withoutSlash(text: string): string {
  return text.replace(/(?<=.)\/+$/, '');
}
