/** The parsed head of a response. */
export interface ResponseHead {
  readonly status: number;
  /** The length of the body in bytes, `chunked`, or `close` if it ends with the connection. */
  readonly framing: number | 'chunked' | 'close';
  readonly keepsAlive: boolean;
  /** Lower case, without parameters; empty if absent. */
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The bytes are not an unambiguous HTTP/1 response. */
export class GarbledResponse extends Error {
  override readonly name = 'GarbledResponse';
}

const LINES = "(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n)*";
const SHAPE = new RegExp(`^HTTP/1\\.[01] [1-9]\\d\\d(?: [^\\r\\n]*)?\\r\\n${LINES}$`);
const TRAILERS = new RegExp(`^${LINES}$`);
// Parsers disagree on whether a tab is part of the value.
const TABBED_FRAMING = /^(?:content-length|transfer-encoding):[^\r]*\t/im;
const LATE_FRAMING = /^(?:content-length|transfer-encoding):/im;
const MINOR_VERSION_AT = 'HTTP/1.'.length;
const STATUS_AT = 'HTTP/1.1 '.length;
// Fifteen digits fit an exact number, and exceed any real body.
const LENGTH = /^\d{1,15}$/;
const SECONDS = /^\d{1,6}$/;
const SWITCHING_PROTOCOLS = 101;
/** These never have a body, whatever their headers say. */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** Parses a head including the line break of its last line. Rejects everything that parsers may read differently. */
export function parseResponseHead(head: string): ResponseHead {
  if (!SHAPE.test(head)) throw new GarbledResponse('the head is no HTTP/1 head');
  if (TABBED_FRAMING.test(head))
    throw new GarbledResponse('a tab stands in the length or encoding of the body');
  const status = Number(head.slice(STATUS_AT, STATUS_AT + 3));
  if (status === SWITCHING_PROTOCOLS) throw new GarbledResponse('the protocol is switched unasked');
  const headers = readHeaders(head);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw new GarbledResponse('the body is compressed');
  const retryAfter = headers.get('retry-after') ?? '';
  const told = readFraming(headers);
  const framing = status < 200 || BODILESS.has(status) ? 0 : told;
  return {
    status,
    framing,
    keepsAlive: framing !== 'close' && keepsAlive(head[MINOR_VERSION_AT] === '1', headers),
    contentType: (headers.get('content-type') ?? '').replace(/;.*/, '').trim().toLowerCase(),
    retryAfterSeconds: SECONDS.test(retryAfter) ? Number(retryAfter) : undefined,
    headers,
  };
}

/** Whether the lines after the last chunk are well-formed. Their content is ignored, but framing headers are rejected. */
export function areTrailers(lines: string): boolean {
  return TRAILERS.test(lines) && !LATE_FRAMING.test(lines);
}

function readHeaders(head: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n').slice(1, -1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, '');
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

// A repeated header contains a comma by now and matches neither pattern.
function readFraming(headers: ReadonlyMap<string, string>): ResponseHead['framing'] {
  const length = headers.get('content-length');
  const encoding = headers.get('transfer-encoding');
  if (length === undefined && encoding === undefined) return 'close';
  if (encoding === undefined && length !== undefined && LENGTH.test(length)) return Number(length);
  if (length === undefined && encoding?.toLowerCase() === 'chunked') return 'chunked';
  throw new GarbledResponse('the head does not say clearly where the body ends');
}

/** HTTP/1.1 keeps a connection unless it says otherwise; HTTP/1.0 only if it says so, and it has no chunks. */
function keepsAlive(isNewer: boolean, headers: ReadonlyMap<string, string>): boolean {
  const options = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/);
  if (options.includes('close')) return false;
  return isNewer || (options.includes('keep-alive') && !headers.has('transfer-encoding'));
}
