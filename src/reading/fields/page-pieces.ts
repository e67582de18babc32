import type { WordPlace } from './field-finder.ts';
import { orderWords } from './page-rows.ts';
import type { PieceVocabulary } from './piece-vocabulary.ts';

/** Numbers per piece: id, left, right, middle, height, gap before, gap above, row, line. */
export const FEATURES = 9;
const ROW_FEATURE = 7;

const HEIGHTS = [0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.5, 1.8, 2.2, 2.8, 3.6, 5.0];
const GAPS = [0.1, 0.25, 0.4, 0.6, 0.9, 1.4, 2.2, 3.5, 5.5, 9.0, 15.0, 25.0];
const ROW_GAPS = [0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.3, 3.2, 5.0, 8.0, 14.0];
/** A page has some hundred words; the rest of a longer one is not read. */
const MOST_WORDS = 5_000;
/** Gaps of the first word of a row, and of a word's further pieces. */
const [FIRST, CONTINUED] = [14, 15];
const [MOST_ROWS, MOST_LINES, GRID] = [250, 500, 1000];

/** A piece of the page: the word in reading order that it belongs to, and its characters there. */
export interface PagePiece {
  readonly word: number;
  readonly start: number;
  readonly end: number;
  readonly row: number;
  readonly features: readonly number[];
}

/** A page as the network reads it. */
export interface PagePieces {
  readonly pieces: readonly PagePiece[];
  /** In reading order, with their index in the order in which they were given. */
  readonly words: readonly { readonly text: string; readonly index: number }[];
}

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly across: number;
  readonly down: number;
  /** The median height of words. */
  readonly usual: number;
}

/** Cuts the words of a page into pieces with their places. */
export function pagePieces(page: readonly WordPlace[], vocabulary: PieceVocabulary): PagePieces {
  const given = page.slice(0, MOST_WORDS);
  const frame = frameOf(given);
  const pieces: PagePiece[] = [];
  const words: { text: string; index: number }[] = [];
  let [lastRow, lastRight, lastMiddle, rowGap] = [-1, 0, Number.NaN, 0];
  for (const { row, index } of orderWords(given)) {
    const word = given[index];
    if (word === undefined) continue;
    const middle = (word.y0 + word.y1) / 2;
    const isFirst = row !== lastRow;
    if (isFirst) {
      rowGap = lastRow < 0 ? FIRST : 1 + bucket((middle - lastMiddle) / frame.usual - 0.5, ROW_GAPS);
      [lastRow, lastMiddle] = [row, middle];
    }
    const gap = isFirst ? FIRST : 1 + bucket((word.x0 - lastRight) / frame.usual, GAPS);
    lastRight = word.x1;
    const shownRow = 1 + Math.min(row, MOST_ROWS);
    vocabulary.cut(word.text).forEach(({ id, start, end }, order) => {
      const features = [
        id,
        ...placeIn(frame, word),
        order === 0 ? gap : CONTINUED,
        rowGap,
        shownRow,
        lineIn(frame, middle),
      ];
      pieces.push({ word: words.length, start, end, row: features[ROW_FEATURE] ?? 0, features });
    });
    words.push({ text: word.text, index });
  }
  return { pieces, words };
}

/** The frame of the text, not of the paper: scans have margins of any size. */
function frameOf(words: readonly WordPlace[]): Frame {
  const least = (values: readonly number[]) =>
    values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = (values: readonly number[]) =>
    values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const left = least(words.map(({ x0 }) => x0));
  const top = least(words.map(({ y0 }) => y0));
  const heights = words.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
  return {
    left,
    top,
    across: GRID / Math.max(1e-6, most(words.map(({ x1 }) => x1)) - left),
    down: GRID / Math.max(1e-6, most(words.map(({ y1 }) => y1)) - top),
    usual: Math.max(1e-6, heights[heights.length >> 1] ?? 0),
  };
}

function placeIn(
  { left, top, across, down, usual }: Frame,
  { x0, y0, x1, y1 }: WordPlace,
): readonly number[] {
  const place = (value: number) => 1 + Math.min(GRID, Math.max(0, Math.trunc(value)));
  return [
    place((x0 - left) * across),
    place((x1 - left) * across),
    place(((y0 + y1) / 2 - top) * down),
    1 + bucket((y1 - y0) / usual, HEIGHTS),
  ];
}

function lineIn({ top, usual }: Frame, middle: number): number {
  return 1 + Math.min(MOST_LINES, Math.trunc((2 * (middle - top)) / usual));
}

/** The number of edges that are at most the value. */
function bucket(value: number, edges: readonly number[]): number {
  const index = edges.findIndex((edge) => value < edge);
  return index < 0 ? edges.length : index;
}
