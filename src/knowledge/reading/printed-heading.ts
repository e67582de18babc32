import { type PrintedLine, printedCells } from './printed-line.ts';

const MAX_CHARACTERS = 110;
const MAX_WORDS = 14;
const MAX_PLAIN_WORDS = 8;
/** An unnumbered heading must be followed by prose this long; otherwise it may be a line of an address. */
const MIN_PROSE_CHARACTERS = 50;
const MIN_SIZE = 1.15;
const MAX_SIZE = 6;

const NUMBERED = /^(\d{1,3}(?:\.\d{1,3}){0,5})(\.?)\s+(?=[\p{Lu}\p{Lt}\p{Lo}"“«„¿¡(])/u;
const CHAPTER =
  /^(?:chapter|section|part|appendix|article|kapitel|abschnitt|teil|anhang|artikel|capítulo|sección|parte|anexo|artículo|chapitre|partie|annexe|capitolo|sezione|allegato|seção)\s+(?:\d+|[IVXLC]+|[A-Z])\b/iu;
const CHAPTER_SIGN = /^第[\d一二三四五六七八九十百]+[章節节条編编部]/u;
const SENTENCE_END = /[.,;:。！？，；]["'»”’)]*$/u;

export interface HeadingContext {
  readonly below: PrintedLine | undefined;
}

/** The level of a heading, inferred from its number, size or length; undefined for other lines. */
export function printedHeading(line: PrintedLine, { below }: HeadingContext): number | undefined {
  const { text } = line;
  if (text.length > MAX_CHARACTERS || !/\p{L}/u.test(text) || SENTENCE_END.test(text)) return undefined;
  if (/\.{4}|(?:\. ){3}|…{2}/.test(text) || text.split(/\s+/).length > MAX_WORDS) return undefined;
  if (CHAPTER.test(text) || CHAPTER_SIGN.test(text)) return line.hasGapAbove ? 1 : undefined;
  const numbered = NUMBERED.exec(text);
  if (numbered) return numberedLevel(line, numbered, below);
  if (printedCells(line).length > 1) return undefined;
  return levelBySize(line.size) ?? levelByShape(line, below);
}

function numberedLevel(
  line: PrintedLine,
  numbered: RegExpExecArray,
  below: PrintedLine | undefined,
): number | undefined {
  const depth = (numbered[1] ?? '').split('.').length;
  if (printedCells(line).length > 2 || (below && printedCells(below).length > 1)) return undefined;
  // "1." may also start a list; then another item follows.
  const isInList = depth === 1 && below !== undefined && /^\d{1,3}[.)]?\s/.test(below.text);
  return line.hasGapAbove && !isInList ? depth + 1 : undefined;
}

function levelBySize(size: number | undefined): number | undefined {
  if (size === undefined || size < MIN_SIZE || size > MAX_SIZE) return undefined;
  if (size >= 1.6) return 1;
  return size >= 1.3 ? 2 : 3;
}

function levelByShape(line: PrintedLine, below: PrintedLine | undefined): number | undefined {
  const { text } = line;
  if (!line.hasGapAbove || line.indent > 60 || isItem(text)) return undefined;
  if (/\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text) && (text.match(/\p{Lu}/gu)?.length ?? 0) >= 4)
    return 2;
  if (!/^[\p{Lu}\p{Lt}\p{Lo}]/u.test(text) || text.split(' ').length > MAX_PLAIN_WORDS) return undefined;
  if (!below || !/\p{L}/u.test(below.text) || isItem(below.text)) return undefined;
  const isProseBelow = below.text.length >= Math.max(MIN_PROSE_CHARACTERS, 1.5 * text.length);
  return isProseBelow && below.hasGapAbove ? 3 : undefined;
}

/** Whether a line starts a list item. */
export function isItem(text: string): boolean {
  return /^(?:[•▪◦‣·●○■□–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S/u.test(text);
}
