/** Inline bytes, still in base64. */
export interface InlineData {
  readonly mediaType: string;
  readonly base64: string;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const HEAD = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i;
// Longer than any real head; bounds the search for the comma.
const MAX_HEAD_CHARACTERS = 512;
/** The media type of bytes without a declared one. */
export const DEFAULT_MEDIA_TYPE = 'application/octet-stream';

/** Parses a base64 `data:` URL; `undefined` if it is none. */
export function parseDataUrl(url: string): InlineData | undefined {
  const comma = url.slice(0, MAX_HEAD_CHARACTERS).indexOf(',');
  const head = HEAD.exec(url.slice(0, Math.max(comma, 0)));
  return head === null ? undefined : inlineData(url.slice(comma + 1), head[1]);
}

/** Parses a base64 `data:` URL or plain base64; `undefined` if it is neither. */
export function parseInlineData(text: string): InlineData | undefined {
  return parseDataUrl(text) ?? inlineData(text, undefined);
}

function inlineData(base64: string, mediaType: string | undefined): InlineData | undefined {
  return isBase64(base64) ? { mediaType: mediaType?.toLowerCase() || DEFAULT_MEDIA_TYPE, base64 } : undefined;
}

/** Whether a text is base64. */
export function isBase64(text: string): boolean {
  return BASE64.test(text);
}
