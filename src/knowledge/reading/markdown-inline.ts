import { Parser } from 'htmlparser2';
import { inOneLine } from './clean-text.ts';

// Each part excludes the character that starts it, so matching is linear.
const IMAGE = /!\[([^[\]]*)\](?:\([^()\s]*(?:\s+"[^"]*")?\s*\)|\[[^[\]]*\])/g;
const LINK = /\[([^[\]]+)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+"[^"]*")?\s*\)|\[[^[\]]*\])/g;
const TAG = /<\/?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?\/?>/g;
const AUTOLINK = /<((?:https?|mailto):[^<>\s]+)>/g;
const CODE = /(`{1,8})([^`]+)\1/g;
const STRONG = /(\*{1,3}|~~)(?=\S)([^*~]+)(?<=\S)\1/g;
const UNDERSCORED = /(?<![\p{L}\p{N}_])(_{1,3})(?=\S)([^_]+)(?<=\S)\1(?![\p{L}\p{N}_])/gu;
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const MARKED = /[\\`*_~[<&\ue000-\uf8ff]/;
const KEPT = /[\ue000-\uf8ff]/g;
const KEPT_FROM = 0xe000;

/** Plain text of inline Markdown: link texts and image descriptions, without marks and tags. */
export function markdownInline(source: string): string {
  if (!MARKED.test(source)) return source;
  // Code and escaped characters are literal: private-use characters stand in for them until the end.
  const kept: string[] = [];
  const keep = (text: string) => {
    if (kept.length > 0xf8ff - KEPT_FROM) return text;
    return String.fromCharCode(KEPT_FROM + kept.push(text) - 1);
  };
  const marked = source
    .replace(KEPT, '')
    .replace(CODE, (_, _ticks, code: string) => keep(inOneLine(code)))
    .replace(ESCAPED, (_, character: string) => keep(character))
    .replace(IMAGE, '$1')
    .replace(LINK, '$1')
    .replace(AUTOLINK, '$1')
    .replace(TAG, '')
    .replace(STRONG, '$2')
    .replace(STRONG, '$2')
    .replace(UNDERSCORED, '$2');
  const text = marked.includes('&') ? decodeEntities(marked) : marked;
  return text.replace(KEPT, (place) => kept[place.charCodeAt(0) - KEPT_FROM] ?? '');
}

function decodeEntities(text: string): string {
  let decoded = '';
  const parser = new Parser({
    ontext(part) {
      decoded += part;
    },
  });
  // All tags are removed by now; a remaining "<" is literal.
  parser.end(text.replaceAll('<', '&lt;'));
  return decoded;
}
