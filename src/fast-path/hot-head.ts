import type { RememberedKey } from '../http/incoming.ts';

/** The head of a request that the fast path may serve. */
export interface HotHead {
  readonly path: string;
  readonly headers: {
    readonly authorization: string | undefined;
    readonly 'x-api-key': string | undefined;
    readonly traceparent: string | undefined;
  };
  readonly key: RememberedKey;
  readonly bodyBytes: number;
  /** The `x-forwarded-for` header. */
  readonly forwardedFor: string | undefined;
}

/** The accepted values of these headers. Heads with other values go to Node's parser. */
const BODY_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
export const BODY_LENGTH = /^[1-9]\d{0,8}$/;
const KEEP_ALIVE = /^keep-alive$/i;

/** Lines that every parser reads alike: a plain name, one colon, one space, a visible value without spaces around it. */
const SHAPE =
  /^POST (\/v1\/chat\/completions|\/v1\/messages|\/v1\/responses)(?:\?beta=true)? HTTP\/1\.1\r\n(?:[A-Za-z0-9-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/;

/** Headers that decide where a request ends, who sent it, from where, or how it is answered. */
const MEANINGFUL =
  /\r\n(authorization|x-api-key|content-type|content-length|host|connection|transfer-encoding|content-encoding|te|trailer|expect|upgrade|origin|idempotency-key|x-forwarded-for|traceparent): ([^\r]*)/gi;

/**
 * Parses a head, including the line break of its last line; `undefined` unless it matches one exact grammar. That is no error:
 * such a head goes to Node's parser unchanged.
 */
export function readHotHead(head: string): HotHead | undefined {
  const path = SHAPE.exec(head)?.[1];
  if (path === undefined) return undefined;
  let [authorization, apiKey, type, length, host, forwardedFor, traceparent]: (string | undefined)[] = [];
  MEANINGFUL.lastIndex = 0;
  for (let found = MEANINGFUL.exec(head); found !== null; found = MEANINGFUL.exec(head)) {
    const [, name = '', value = ''] = found;
    // Parsers disagree on duplicate headers.
    switch (name.toLowerCase()) {
      case 'authorization':
        if (authorization !== undefined) return undefined;
        authorization = value;
        break;
      case 'x-api-key':
        if (apiKey !== undefined) return undefined;
        apiKey = value;
        break;
      case 'content-type':
        if (type !== undefined) return undefined;
        type = value;
        break;
      case 'content-length':
        if (length !== undefined) return undefined;
        length = value;
        break;
      case 'host':
        if (host !== undefined) return undefined;
        host = value;
        break;
      case 'x-forwarded-for':
        if (forwardedFor !== undefined) return undefined;
        forwardedFor = value;
        break;
      case 'traceparent':
        if (traceparent !== undefined) return undefined;
        traceparent = value;
        break;
      case 'connection':
        if (!KEEP_ALIVE.test(value)) return undefined;
        break;
      default:
        return undefined;
    }
    // The line break at the end of this line starts the next match.
    MEANINGFUL.lastIndex = found.index + found[0].length;
  }
  if (host === undefined || type === undefined || !BODY_TYPE.test(type)) return undefined;
  if (length === undefined || !BODY_LENGTH.test(length)) return undefined;
  return {
    path,
    headers: { authorization, 'x-api-key': apiKey, traceparent },
    key: { hash: undefined },
    bodyBytes: Number(length),
    forwardedFor,
  };
}
