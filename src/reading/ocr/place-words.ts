import type { PlacedWord } from '../layout/placed-word.ts';
import type { PageBox } from '../page-text.ts';
import type { SpottedCharacter } from './decode-ctc.ts';
import type { LineBox } from './line-box.ts';
import type { RecognisedLine } from './line-recogniser.ts';

/** The size of a picture. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Quarter turns, with the clock, from text that runs to the right to the text of this page. */
export type PageTurn = 0 | 1 | 2 | 3;

/** A gap wider than this many heights parts words even where no space was seen: the cells of a table's row. */
const CELL_GAP_IN_HEIGHTS = 1.6;
/** A line's box is taller than its letters. */
const LETTER_SHARE = 0.8;

/** The turn of lines that run in this direction. */
export function turnOf({ ux, uy }: { ux: number; uy: number }): PageTurn {
  const turn = (Math.round(Math.atan2(uy, ux) / (Math.PI / 2)) + 4) % 4;
  return turn === 1 || turn === 2 || turn === 3 ? turn : 0;
}

/** The words of a line, in a plane where the page's text runs to the right, and where they stand on the picture. */
export function placeWords(line: RecognisedLine, turn: PageTurn, size: PictureSize): readonly PlacedWord[] {
  const { box } = line;
  const direction = turned(box.ux, box.uy, turn);
  const slope = direction.y / Math.max(0.2, direction.x);
  return wordsOf(line).map(({ text, from, to, confidence }) => {
    const start = pointAlong(box, from);
    const end = pointAlong(box, to);
    const a = upright(start, turn, size);
    const b = upright(end, turn, size);
    const middleY = (a.y + b.y) / 2;
    const halfHeight = (box.height * LETTER_SHARE) / 2;
    return {
      text,
      confidence,
      x0: Math.min(a.x, b.x),
      x1: Math.max(a.x, b.x),
      y0: middleY - halfHeight,
      y1: middleY + halfHeight,
      // The direction of a short line is a guess.
      ...(box.length > 4 * box.height && { slope }),
      box: boxAround(start, end, box, size),
    };
  });
}

interface LineWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly confidence: number;
}

function wordsOf({ characters, box }: RecognisedLine): readonly LineWord[] {
  const groups: SpottedCharacter[][] = [[]];
  const gap = (CELL_GAP_IN_HEIGHTS * box.height) / box.length;
  let before: SpottedCharacter | undefined;
  for (const character of characters) {
    if (character.text.trim() === '') {
      groups.push([]);
      continue;
    }
    if (before && character.at - before.at > gap) groups.push([]);
    groups.at(-1)?.push(character);
    before = character;
  }
  return groups.filter((group) => group.length > 0).map((group) => lineWord(group, box));
}

function lineWord(group: readonly SpottedCharacter[], box: LineBox): LineWord {
  const first = group[0]?.at ?? 0;
  const last = group.at(-1)?.at ?? first;
  const half = group.length > 1 ? (last - first) / (group.length - 1) / 2 : (0.25 * box.height) / box.length;
  return {
    text: group.map(({ text }) => text).join(''),
    from: Math.max(0, first - half),
    to: Math.min(1, last + half),
    confidence: group.reduce((sum, { confidence }) => sum + confidence, 0) / group.length,
  };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function pointAlong(box: LineBox, share: number): Point {
  const along = (share - 0.5) * box.length;
  return { x: box.cx + along * box.ux, y: box.cy + along * box.uy };
}

function upright({ x, y }: Point, turn: PageTurn, { width, height }: PictureSize): Point {
  switch (turn) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: width - x };
    case 2:
      return { x: width - x, y: height - y };
    case 3:
      return { x: height - y, y: x };
  }
}

function turned(x: number, y: number, turn: PageTurn): Point {
  switch (turn) {
    case 0:
      return { x, y };
    case 1:
      return { x: y, y: -x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: -y, y: x };
  }
}

function boxAround(start: Point, end: Point, box: LineBox, { width, height }: PictureSize): PageBox {
  const halfX = (Math.abs(box.uy) * box.height * LETTER_SHARE) / 2;
  const halfY = (Math.abs(box.ux) * box.height * LETTER_SHARE) / 2;
  return {
    x0: fraction((Math.min(start.x, end.x) - halfX) / width),
    y0: fraction((Math.min(start.y, end.y) - halfY) / height),
    x1: fraction((Math.max(start.x, end.x) + halfX) / width),
    y1: fraction((Math.max(start.y, end.y) + halfY) / height),
  };
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;
}
