/** A text as printed, on one line: a word that was broken at the end of a line is whole again. */
export function joinLines(text: string): string {
  return text
    .replace(/(?<=\p{Ll})(?:[-‐]|\u00ad)[ \t]*\n\s*(?=\p{Ll})/gu, '')
    .replace(/(?<=\p{L}[-‐])[ \t]*\n\s*(?=[\p{L}\d])/gu, '')
    .replaceAll('\u00ad', '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s:;,|]+|[\s:;,|]+$/g, '');
}
