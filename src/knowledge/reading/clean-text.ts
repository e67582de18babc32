// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Removes invisible characters and those a database rejects; normalises line ends and accents (NFC). */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(UNSEEN, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .normalize('NFC');
}

/** Collapses every run of white space to one space. */
export function singleSpaced(text: string): string {
  // Skipping single spaces, which are most of the white space, is four times as fast.
  return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

/** Single-spaced and trimmed. */
export function inOneLine(text: string): string {
  return singleSpaced(text).trim();
}

/** Like `singleSpaced`, but keeps lines; they are trimmed and blank ones removed. */
export function inLines(text: string): string {
  if (!text.includes('\n')) return inOneLine(text);
  return text
    .split('\n')
    .map(inOneLine)
    .filter((line) => line !== '')
    .join('\n');
}
