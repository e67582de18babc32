import { monthOf } from '../../values/month-names.ts';
import type { SourceLine } from '../read/source-text.ts';
import type { TextSlice } from './text-slice.ts';

/** A stretch of time in a life. */
export interface Period {
  readonly from: TextSlice | undefined;
  readonly to: TextSlice | undefined;
  /** All of it; two pieces where it goes on in the next line. */
  readonly pieces: readonly [TextSlice, ...TextSlice[]];
}

const POINT = String.raw`(?:(?:19|20)\d{2}-(?:0[1-9]|1[0-2])(?!\d)|(?:\p{L}{3,12}\.?\s+(?:de\s+)?|(?:\d{1,2}[./])?\d{1,2}[./])?(?:19|20)\d{2}(?![\d.,/]\d))`;
const NOW =
  "heute|present|today|now|current|date|laufend|jetzt|aujourd[’']hui|présent|ce jour|actualidad|actual|presente|hoy|oggi|attuale|attualmente|heden|nu|hoje|atual|atualidade|dziś|dzisiaj|obecnie|nadal";
/** The month that a period begins with may leave its year to the end: `May – July 2015`. */
const FIRST = String.raw`(?:${POINT}|\p{L}{3,12}\.?)`;
const LAST = String.raw`(?:${POINT}|(?:${NOW})(?!\p{L}))`;
const RANGE = new RegExp(
  String.raw`(?<![\p{L}\d./])(${FIRST})\s*(?:[-–—→]|\b(?:to|bis|until|à|au|al|a|até|tot|do)\b)\s*(${LAST})|(?<!\p{L})(?:seit|since|depuis|desde|dal|sinds|od|ab)\s+(?:le\s+)?(${POINT})`,
  'iu',
);
const OPEN_RANGE = new RegExp(String.raw`(?<![\p{L}\d./])(${FIRST})\s*[-–—](?=\s{2,}|\s*$)`, 'iu');
const CLOSING = new RegExp(String.raw`^\s*(${LAST})(?=\s{2,}|\s*$)`, 'iu');
const FIRST_POINT = new RegExp(String.raw`^\s*(${POINT})(?=\s*$|\s{2,}|\s*[:–—-]\s|,?\s+\p{Lu})`, 'iu');
const LAST_POINT = new RegExp(String.raw`(?:,\s*|\s{2,}|\(|\s[–—-]\s)(${POINT})\)?\s*$`, 'iu');

/** The period in a line, which may end at the beginning of the next one. */
export function periodIn(line: SourceLine, next?: SourceLine): Period | undefined {
  return rangeIn(line) ?? (next && wrappedRange(line, next)) ?? openRange(line);
}

/** A single point in time that a line begins with. */
export function pointBefore({ text, start }: SourceLine): Period | undefined {
  return pointOf(FIRST_POINT.exec(text), start);
}

/** A single point in time that a line ends with. */
export function pointBehind({ text, start }: SourceLine): Period | undefined {
  return pointOf(LAST_POINT.exec(text), start);
}

function rangeIn({ text, start }: SourceLine): Period | undefined {
  let from = 0;
  let match = RANGE.exec(text);
  // A word before a year that is no month does not belong to the period.
  while (match !== null && !isRange(match)) {
    from += match.index + (/^(?:\p{L}+\.?\s*|.)/u.exec(match[0])?.[0].length ?? 1);
    match = RANGE.exec(text.slice(from));
  }
  if (match === null) return undefined;
  const [whole, first, last, since] = match;
  const at = start + from + match.index;
  return {
    from: pieceOf(first ?? since, at + (since === undefined ? 0 : whole.length - since.length)),
    to: last === undefined ? undefined : pieceOf(last, at + whole.length - last.length),
    pieces: [pieceAt(whole, at)],
  };
}

function isRange([, first, last, since]: RegExpExecArray): boolean {
  if (since !== undefined) return isPoint(since);
  return first !== undefined && last !== undefined && isPoint(first) && (isNow(last) || isPoint(last));
}

function wrappedRange(line: SourceLine, next: SourceLine): Period | undefined {
  const [opening = '', first = ''] = OPEN_RANGE.exec(line.text) ?? [];
  const [closing = '', last = ''] = CLOSING.exec(next.text) ?? [];
  if (!isPoint(first) || !(isNow(last) || isPoint(last))) return undefined;
  const [from, to] = [
    pieceAt(first, line.start + line.text.indexOf(opening)),
    pieceAt(last, next.start + closing.length - last.length),
  ];
  return { from, to, pieces: [pieceAt(opening, from.start), to] };
}

/** A period without an end, before what it is about: `2016–   Lecturer`. */
function openRange({ text, start }: SourceLine): Period | undefined {
  const [opening = '', first = ''] = OPEN_RANGE.exec(text) ?? [];
  const before = text.indexOf(opening);
  if (!isPoint(first) || !/\d/.test(first) || text.slice(0, before).trim() !== '') return undefined;
  const from = pieceAt(first, start + before);
  return { from, to: undefined, pieces: [pieceAt(opening, from.start)] };
}

function pointOf(match: RegExpExecArray | null, start: number): Period | undefined {
  const said = match?.[1];
  if (match === null || said === undefined || !isPoint(said)) return undefined;
  const at = start + match.index + match[0].indexOf(said);
  const piece = pieceAt(said, at);
  return { from: undefined, to: piece, pieces: [piece] };
}

/** Whether a text is a point in time: what stands before its year, or stands alone, is a month. */
function isPoint(said: string): boolean {
  const word = /^\p{L}+/u.exec(said)?.[0];
  if (word === undefined) return /\d/.test(said);
  return monthOf(word) !== undefined;
}

function isNow(said: string): boolean {
  return said !== '' && !/\d/.test(said);
}

function pieceOf(text: string | undefined, start: number): TextSlice | undefined {
  return text === undefined ? undefined : pieceAt(text, start);
}

function pieceAt(text: string, start: number): TextSlice {
  return { text, start, end: start + text.length };
}
