/** What matters of a response before its body. */
export interface ResponseHead {
  readonly status: number;
  /** The length of the body in bytes, or `chunked`. */
  readonly framing: number | 'chunked';
  readonly keepsAlive: boolean;
  /** Lower case, without parameters; empty where the server does not say. */
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
}

/** The bytes are not one unambiguous HTTP/1.1 response. */
export class GarbledResponse extends Error {
  override readonly name = 'GarbledResponse';
}

const SHAPE = /^HTTP\/1\.1 [2-5]\d\d(?: [^\r\n\0]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n)*$/;
const STATUS_AT = 'HTTP/1.1 '.length;
const LENGTH = /^\d{1,12}$/;
const SECONDS = /^\d{1,6}$/;

/** Reads a head with the line break of its last line. What two parsers could read in two ways is refused. */
export function parseResponseHead(head: string): ResponseHead {
  if (!SHAPE.test(head)) throw new GarbledResponse('the head is no HTTP/1.1 head');
  const headers = readHeaders(head);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new GarbledResponse('the body is compressed');
  const retryAfter = headers.get('retry-after') ?? '';
  return {
    status: Number(head.slice(STATUS_AT, STATUS_AT + 3)),
    framing: readFraming(headers),
    keepsAlive: !/\bclose\b/i.test(headers.get('connection') ?? ''),
    contentType: (headers.get('content-type') ?? '').replace(/;.*/, '').trim().toLowerCase(),
    retryAfterSeconds: SECONDS.test(retryAfter) ? Number(retryAfter) : undefined,
  };
}

function readHeaders(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1, -1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

// A repeated header has a comma by now and fits neither pattern.
function readFraming(headers: ReadonlyMap<string, string>): number | 'chunked' {
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (encoding === undefined && length !== undefined && LENGTH.test(length)) return Number(length);
  if (length === undefined && encoding?.toLowerCase() === 'chunked') return 'chunked';
  throw new GarbledResponse('the head does not say clearly where the body ends');
}
