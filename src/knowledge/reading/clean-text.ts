// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNSEEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2060\ufeff]/g;
const LONE_SURROGATE = /\p{Cs}/gu;

/** Takes out what nobody sees and no database takes; line ends become line feeds, letters with accents one character. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(UNSEEN, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .normalize('NFC');
}

/** Every run of white space becomes a space. */
export function singleSpaced(text: string): string {
  // Single spaces are what most of a text's white space is: matching those too takes four times as long.
  return text.replace(/\s{2,}|[^\S ]/g, ' ');
}

/** One line without white space around it. */
export function inOneLine(text: string): string {
  return singleSpaced(text).trim();
}

/** White space as a page shows it, where lines are meant: runs are one space, lines are trimmed and none is blank. */
export function inLines(text: string): string {
  if (!text.includes('\n')) return inOneLine(text);
  return text
    .split('\n')
    .map(inOneLine)
    .filter((line) => line !== '')
    .join('\n');
}
