import { isBase64 } from './base64.ts';

/** Bytes that came inline, still in base64. */
export interface InlineData {
  readonly mediaType: string;
  readonly base64: string;
}

const HEAD = /^data:([^;,]*)(?:;[^;,]*)*;base64$/i;
// Longer than any real head; a text without a comma is not searched to its end.
const MAX_HEAD_CHARACTERS = 512;
const UNSAID_MEDIA_TYPE = 'application/octet-stream';

/** Reads a base64 `data:` URL; `undefined` where it is none. */
export function parseDataUrl(url: string): InlineData | undefined {
  const comma = url.slice(0, MAX_HEAD_CHARACTERS).indexOf(',');
  const head = HEAD.exec(url.slice(0, Math.max(comma, 0)));
  return head === null ? undefined : inlineData(url.slice(comma + 1), head[1]);
}

/** Reads a base64 `data:` URL or base64 alone; `undefined` where it is neither. */
export function parseInlineData(text: string): InlineData | undefined {
  return parseDataUrl(text) ?? inlineData(text, undefined);
}

function inlineData(base64: string, mediaType: string | undefined): InlineData | undefined {
  return isBase64(base64) ? { mediaType: mediaType?.toLowerCase() || UNSAID_MEDIA_TYPE, base64 } : undefined;
}
