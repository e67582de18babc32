import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const MAXIMUM_SKEW_MS = 15 * 60_000;
const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The problem with a request's signature, as Amazon's error code; undefined if it is valid. */
export function signatureProblem(
  request: IncomingMessage,
  body: Buffer,
  credentials: S3Credentials,
): string | undefined {
  const [, keyId, day, region, signedHeaders, signature] =
    HEADER.exec(request.headers.authorization ?? '') ?? [];
  if (keyId === undefined || signedHeaders === undefined || day === undefined) return 'AccessDenied';
  if (keyId !== credentials.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== credentials.region) return 'AuthorizationHeaderMalformed';
  const time = String(request.headers['x-amz-date']);
  if (!time.startsWith(day) || Math.abs(Date.now() - momentOf(time)) > MAXIMUM_SKEW_MS)
    return 'RequestTimeTooSkewed';
  const payload = String(request.headers['x-amz-content-sha256']);
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [
    'AWS4-HMAC-SHA256',
    time,
    scope,
    sha256(canonicalRequest(request, signedHeaders, payload)),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  );
  return createHmac('sha256', key).update(text).digest('hex') === signature
    ? undefined
    : 'SignatureDoesNotMatch';
}

function canonicalRequest(request: IncomingMessage, signedHeaders: string, payload: string): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const headers = signedHeaders
    .split(';')
    .map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  return [request.method, pathname, query, headers, signedHeaders, payload].join('\n');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function momentOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
