import { errorCode } from '../lib/error-code.ts';
import { TransferInterrupted } from './download-failures.ts';
import type { Download } from './download-file.ts';
import { SourceFailed } from './fetch-failures.ts';
import type { PartialFile } from './partial-file.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A server's response: a file, or the rest of one. */
export interface HubAnswer {
  readonly status: 200 | 206 | 416;
  /** Of the whole file. */
  readonly totalBytes: number | undefined;
  /** Where a partial response starts. */
  readonly firstByte: number | undefined;
  readonly contentType: string;
  /** Strong ETags only. */
  readonly etag: string | undefined;
  /** The SHA-256 announced by the hub. */
  readonly sha256: string | undefined;
  chunks(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

interface FileRequest {
  readonly download: Download;
  readonly part: PartialFile;
  /** First byte to request. */
  readonly offset: number;
  readonly signal: AbortSignal;
}

/** Requests a file from an offset, follows redirects, and rejects responses that are not a file. */
export async function requestFile(request: FileRequest): Promise<HubAnswer> {
  let url = new URL(request.download.url);
  let announcedSha256: string | undefined;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(url, request);
    announcedSha256 ??= hubSha256(response.headers);
    if (!REDIRECTS.has(response.status)) return toAnswer(response, announcedSha256);
    await response.body?.cancel();
    url = redirectTarget(url, response);
  }
  throw new SourceFailed(`it redirects more than ${MAX_REDIRECTS} times`);
}

async function send(url: URL, { part, offset, signal }: FileRequest): Promise<Response> {
  const headers: Record<string, string> = { accept: '*/*', 'accept-encoding': 'identity' };
  if (offset > 0) {
    headers.range = `bytes=${offset}-`;
    if (part.origin?.etag !== undefined) headers['if-range'] = part.origin.etag;
  }
  try {
    return await fetch(url, { headers, redirect: 'manual', signal });
  } catch (error) {
    if (signal.aborted) throw new TransferInterrupted('the server does not answer', { cause: error });
    throw new TransferInterrupted(`the server cannot be reached (${reasonOf(error)})`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
}

function redirectTarget(from: URL, response: Response): URL {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from.href))
    throw new SourceFailed('it redirects to nowhere');
  const target = new URL(location, from.href);
  const isSafe = target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:');
  if (!isSafe) throw new SourceFailed(`it redirects to ${target.protocol}//, which is not safe`);
  return target;
}

/** Hugging Face announces the hash on the first hop, before the redirect. */
function hubSha256(headers: Headers): string | undefined {
  return /^"?([0-9a-f]{64})"?$/.exec(headers.get('x-linked-etag') ?? '')?.[1];
}

async function toAnswer(response: Response, sha256: string | undefined): Promise<HubAnswer> {
  const { status, headers } = response;
  if (status !== 200 && status !== 206 && status !== 416) {
    await response.body?.cancel();
    throw refusal(response);
  }
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
  const etag = headers.get('etag');
  return {
    status,
    totalBytes: numberOf(status === 200 ? headers.get('content-length') : range?.[2]),
    firstByte: numberOf(range?.[1]),
    contentType: headers.get('content-type') ?? '',
    etag: etag?.startsWith('"') ? etag : undefined,
    sha256,
    chunks: () => chunksOf(response),
    close: async () => {
      // A body that failed or was read completely has nothing to cancel.
      await response.body?.cancel().catch(() => {});
    },
  };
}

function refusal({ status, headers }: Response): Error {
  if (!TEMPORARY.has(status)) return new SourceFailed(`the server answered ${status}`);
  const retryAfterMs = (numberOf(headers.get('retry-after')) ?? 0) * 1000;
  return new TransferInterrupted(`the server answered ${status}`, { retryAfterMs });
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  try {
    yield* body;
  } catch (error) {
    throw new TransferInterrupted(`the transfer broke off (${reasonOf(error)})`, { cause: error });
  }
}

function numberOf(text: string | null | undefined): number | undefined {
  return text != null && /^\d+$/.test(text) ? Number(text) : undefined;
}
