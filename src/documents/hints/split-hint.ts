import { spacedName } from '../grounded/label-words.ts';
import { plainLetters } from '../grounded/plain-letters.ts';
import { findMentions } from './find-mentions.ts';
import { ABBREVIATIONS, JOINING_WORDS } from './hint-words.ts';

/** A word, or a mention of files. */
export type HintToken =
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'files'; readonly files: readonly number[] };

/** What a sentence says at once: up to a comma, or a word such as `and`. */
export interface Piece {
  readonly tokens: readonly HintToken[];
  /** The word that joins it to the piece before, where there is one. */
  readonly joint: string;
}

export type Sentence = readonly Piece[];

type Mark = HintToken | { readonly type: 'joint'; readonly word: string } | { readonly type: 'stop' };

/** Cuts a text that speaks of files into sentences and their pieces. */
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

/** A full stop may shorten a word, and a line may only be too long for its sentence. */
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
    // Of `, but` the word says more.
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
