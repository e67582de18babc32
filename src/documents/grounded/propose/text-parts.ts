import type { TextSlice } from './text-slice.ts';

const BETWEEN = /\s*[,;•·|]\s*|\s+(?:and|und|y|et|e)\s+(?=\S+$)|\s+(?=@)/g;
/** Items with as many words are sentences, which keep their full stop. */
const SENTENCE_WORDS = 4;
const BULLET = /^(?:[-*•·–▪►✓>]|\[[ xX]?\]|\d{1,2}\s?(?:[.)]|[°º]\)?))\s+/;

/** An initial keeps its point: `Ann L.` */
const INITIAL = /\s\p{Lu}\.$/u;
/** The mark of a person in notes: `@Ann Lee @Bo Marsh`. */
const MENTION = /^@(?=\p{L})/u;

/** The parts of a text between its commas, without bullets and the full stop at its end. */
export function partsOf({ text, start }: TextSlice): readonly TextSlice[] {
  const ends = Array.from(text.matchAll(BETWEEN)).filter(({ index }) => !isBracketed(text, index));
  const froms = [0, ...ends.map(({ index, 0: mark }) => index + mark.length)];
  const tos = [...ends.map(({ index }) => index), text.length];
  return froms.flatMap((from, order) => {
    const part = text.slice(from, Math.max(from, tos[order] ?? from));
    const bullet = (BULLET.exec(part) ?? MENTION.exec(part))?.[0].length ?? 0;
    const whole = part.slice(bullet);
    const said = INITIAL.test(whole) ? whole : whole.replace(/[.]$/, '');
    const bare = said.trim();
    const at = start + from + bullet + said.length - said.trimStart().length;
    return bare === '' ? [] : [{ text: bare, start: at, end: at + bare.length }];
  });
}

/** Whether a text begins with a bullet or a number, as a whole item of a list does. */
export function isItem(text: string): boolean {
  return BULLET.test(text);
}

/** An item without its bullet or number, and the full stop of a short one. */
export function itemOf({ text, start }: TextSlice): TextSlice {
  const said = text.slice(BULLET.exec(text)?.[0].length ?? 0);
  const bare =
    said.split(/\s+/).length < SENTENCE_WORDS ? said.replace(/[.;,]$/, '') : said.replace(/[;,]$/, '');
  const at = start + text.length - said.length;
  return { text: bare, start: at, end: at + bare.length };
}

/** Whether a bracket before an offset is still open there. */
function isBracketed(text: string, offset: number): boolean {
  const opened = text.lastIndexOf('(', offset - 1);
  if (opened < 0 || offset === 0) return false;
  const closed = text.indexOf(')', opened);
  return closed > offset;
}
