import { spacedName } from '../grounded/label-words.ts';
import { plainLetters } from '../values/plain-letters.ts';
import { findMentions } from './find-mentions.ts';
import { ABBREVIATIONS, JOINING_WORDS } from './hint-words.ts';

export type HintToken =
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'files'; readonly files: readonly number[] };

/** A clause: up to a comma or a conjunction. */
export interface Piece {
  readonly tokens: readonly HintToken[];
  /** The conjunction before it, or an empty string. */
  readonly joint: string;
}

export type Sentence = readonly Piece[];

type Mark = HintToken | { readonly type: 'joint'; readonly word: string } | { readonly type: 'stop' };

/** Splits a text into sentences and pieces. */
export function splitHint(text: string, names: readonly string[]): readonly Sentence[] {
  const given = text.normalize('NFC');
  const plain = plainLetters(given).toLowerCase();
  const mentions = findMentions(plain, names);
  if (mentions.length === 0) return [];
  const marks: Mark[] = [];
  let from = 0;
  for (const { start, end, files } of mentions) {
    marks.push(...marksOf(given, plain, [from, start]), { type: 'files', files });
    from = end;
  }
  marks.push(...marksOf(given, plain, [from, plain.length]));
  return sentencesOf(marks);
}

const TOKEN = /(?<word>\p{L}+)|(?<stop>[!?;]|\.(?=\s|["')\]”»]|$)|\n)|(?<joint>[,&+/–—])/gu;

function marksOf(given: string, plain: string, [from, to]: readonly [number, number]): readonly Mark[] {
  const marks: Mark[] = [];
  for (const { groups = {}, index, 0: found } of plain.slice(from, to).matchAll(TOKEN)) {
    const last = marks.at(-1);
    if (groups.word !== undefined)
      marks.push(...wordsOf(given.slice(from + index, from + index + found.length)));
    else if (groups.joint !== undefined) marks.push({ type: 'joint', word: found });
    else if (endsSentence(found, plain.slice(from + index + 1), last)) marks.push({ type: 'stop' });
  }
  return marks;
}

/** A full stop may belong to an abbreviation, and a line end may be a soft wrap. */
function endsSentence(found: string, after: string, last: Mark | undefined): boolean {
  if (found === '.') return last?.type !== 'word' || !ABBREVIATIONS.has(last.word);
  return found !== '\n' || last?.type !== 'word' || !/^[ \t]*\p{Ll}/u.test(after);
}

function wordsOf(text: string): readonly Mark[] {
  return spacedName(text)
    .split(' ')
    .map((part) => plainLetters(part).toLowerCase())
    .map((word) => ({ type: JOINING_WORDS.has(word) ? 'joint' : 'word', word }));
}

function sentencesOf(marks: readonly Mark[]): readonly Sentence[] {
  const sentences: Piece[][] = [[]];
  let [tokens, joint]: [HintToken[], string] = [[], ''];
  const endPiece = (next: string) => {
    if (tokens.length > 0) sentences.at(-1)?.push({ tokens, joint });
    // In ", but" the word is more specific.
    joint = tokens.length === 0 && next === ',' ? joint : next;
    tokens = [];
  };
  for (const mark of marks) {
    if (mark.type === 'joint') endPiece(mark.word);
    else if (mark.type === 'stop') {
      endPiece('');
      sentences.push([]);
    } else tokens.push(mark);
  }
  endPiece('');
  return sentences.filter((sentence) => sentence.length > 0);
}
